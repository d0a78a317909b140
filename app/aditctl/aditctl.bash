# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# aditctl.bash - completes aditctl's commands and options as its --help has them, and the names that the gateway
# shows to whoever types.

_aditctl() {
	local cur prev words cword
	local command='' socket=() i

	_init_completion -n : || return
	if [ "$prev" = --socket ]; then
		_filedir
		return
	fi
	for ((i = 1; i < cword; i++)); do
		case ${words[i]} in
		--socket) socket=(--socket "${words[++i]}") ;;
		-*) ;;
		*) command=${command:-${words[i]}} ;;
		esac
	done
	if [[ $cur == -* ]]; then
		_aditctl_offer "$("${words[0]}" --help | sed -n 's/^ .*\(--[a-z-]*\) .*/\1/p')"
	elif [ -z "$command" ]; then
		_aditctl_offer "$("${words[0]}" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\).*/\1/p')"
	else
		# A command that takes no names says so, and so does a gateway that is not there: nothing is offered.
		_aditctl_offer "$("${words[0]}" "${socket[@]}" --names "$command" 2>/dev/null)"
	fi
}

# Those of the lines that go on as $cur does.
_aditctl_offer() {
	local IFS=$'\n' word

	COMPREPLY=()
	for word in $1; do
		[[ $word != "$cur"* ]] || COMPREPLY+=("$word")
	done
	__ltrim_colon_completions "$cur"
}

complete -F _aditctl aditctl
