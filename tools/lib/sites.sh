# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# sites.sh - two sites out of network namespaces, with a gateway each:
#
#   adit-host-a lan0 -- lan0 adit-gw-a wan0 == wan0 adit-gw-b lan0 -- lan0 adit-host-b
#   10.1.0.2            .1   192.0.2.1    .2                      10.2.0.1   .2
#   2001:db8:1::2       ::1  2001:db8:f::1 ::2              2001:db8:2::1  ::2
#
# The gateways' ports have no addresses beneath, and a drop at their ingress: af_packet and the kernel
# see the same frames, and the kernel must answer none.

sites_namespaces=(adit-host-a adit-gw-a adit-gw-b adit-host-b)

# MAC of a port: site (1, 2), port (lan, wan), who (gw, host).
sites_mac() {
	local port=01 who=01
	[ "$2" = lan ] || port=0f
	[ "$3" = gw ] || who=02
	printf '02:00:00:0%d:%s:%s' "$1" $port $who
}

# A wire between $2 in namespace $1 and $4 in $3. Without offloads a frame on it is what a NIC would
# have sent, its checksums filled in and no longer than the MTU.
sites_wire() {
	local ns

	ip -n "$1" link add "$2" type veth peer name "$4" netns "$3"
	for ns in "$1 $2" "$3 $4"; do
		ip netns exec "${ns% *}" ethtool -K "${ns#* }" tx off gso off tso off gro off sg off \
			>/dev/null
		ip -n "${ns% *}" link set "${ns#* }" up
	done
}

# To the kernel nothing arrives at interface $2 of namespace $1.
sites_deafen() {
	tc -n "$1" qdisc add dev "$2" clsact
	tc -n "$1" filter add dev "$2" ingress bpf direct-action bytecode '1,6 0 0 2' # TC_ACT_SHOT
}

sites_host() { # site number, far site number, namespace, gateway's namespace
	local lan_mac
	lan_mac=$(sites_mac "$1" lan gw)

	ip -n "$3" link set lan0 address "$(sites_mac "$1" lan host)"
	ip -n "$3" addr add "10.$1.0.2/24" dev lan0
	ip -n "$3" -6 addr add "2001:db8:$1::2/64" dev lan0 nodad
	ip -n "$3" neigh add "10.$1.0.1" lladdr "$lan_mac" nud permanent dev lan0
	ip -n "$3" neigh add "2001:db8:$1::1" lladdr "$lan_mac" nud permanent dev lan0
	ip -n "$3" route add "10.$2.0.0/24" via "10.$1.0.1"
	ip -n "$3" -6 route add "2001:db8:$2::/64" via "2001:db8:$1::1"
	sites_deafen "$4" lan0
	sites_deafen "$4" wan0
}

# Makes the namespaces and wires.
sites_up() {
	local ns

	for ns in "${sites_namespaces[@]}"; do
		ip netns add "$ns"
		ip -n "$ns" link set lo up
		case $ns in
		adit-gw-*) ip netns exec "$ns" sysctl -qw net.ipv6.conf.{all,default}.disable_ipv6=1 ;;
		*) ip netns exec "$ns" sysctl -qw net.ipv6.conf.{all,default}.disable_ipv6=0 ;;
		esac
	done
	sites_wire adit-host-a lan0 adit-gw-a lan0
	sites_wire adit-gw-a wan0 adit-gw-b wan0
	sites_wire adit-gw-b lan0 adit-host-b lan0
	sites_host 1 2 adit-host-a adit-gw-a
	sites_host 2 1 adit-host-b adit-gw-b
}

sites_down() {
	local ns

	for ns in "${sites_namespaces[@]}"; do
		ip netns del "$ns" 2>/dev/null
	done
	return 0
}

# The config of a site: its number, the far one's, a folder for its state, keys of both directions
# (site 1 sends on the first).
sites_config() {
	local me=$1 far=$2 folder=$3 key=("" "$4" "$5")

	cat <<-END
		version: 1
		workers: {lcores: [1]}
		ports:
		  - name: lan
		    device: net_af_packet0
		    side: protected
		    mac: "$(sites_mac "$me" lan gw)"
		    addresses: [10.$me.0.1/24, "2001:db8:$me::1/64"]
		  - name: wan
		    device: net_af_packet1
		    side: unprotected
		    mac: "$(sites_mac "$me" wan gw)"
		    addresses: [192.0.2.$me/24, "2001:db8:f::$me/64"]
		crypto: {provider: aesni_mb, fallback: openssl}
		sas:
		  - name: to-$far
		    direction: out
		    spi: 0x200$far
		    src: 192.0.2.$me
		    dst: 192.0.2.$far
		    reqid: 1
		    aead: aes-128-gcm
		    key: 0x${key[me]}
		    esn: true
		  - name: from-$far
		    direction: in
		    spi: 0x200$me
		    src: 192.0.2.$far
		    dst: 192.0.2.$me
		    reqid: 1
		    aead: aes-128-gcm
		    key: 0x${key[far]}
		    esn: true
		    replay_window: 1024
		policies:
		  - name: out
		    direction: out
		    action: protect
		    reqid: 1
		    src: [10.$me.0.0/24, "2001:db8:$me::/64"]
		    dst: [10.$far.0.0/24, "2001:db8:$far::/64"]
		  - name: in
		    direction: in
		    action: protect
		    reqid: 1
		    src: [10.$far.0.0/24, "2001:db8:$far::/64"]
		    dst: [10.$me.0.0/24, "2001:db8:$me::/64"]
		routes:
		  - {to: 10.$far.0.0/24, via: 192.0.2.$far, port: wan}
		  - {to: "2001:db8:$far::/64", via: "2001:db8:f::$far", port: wan}
		neighbours:
		  - {address: 192.0.2.$far, port: wan, mac: "$(sites_mac "$far" wan gw)"}
		  - {address: "2001:db8:f::$far", port: wan, mac: "$(sites_mac "$far" wan gw)"}
		  - {address: 10.$me.0.2, port: lan, mac: "$(sites_mac "$me" lan host)"}
		  - {address: "2001:db8:$me::2", port: lan, mac: "$(sites_mac "$me" lan host)"}
		control: {socket: $folder/control}
		state_dir: $folder/state
	END
}
