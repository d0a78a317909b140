/* SPDX-License-Identifier: BSD-3-Clause */
/* pipeline_packet.c - packets byte by byte, and ESP by hand, without the code that is tested. */
#include <arpa/inet.h>
#include <string.h>

#include "pipeline_fixture.h"

uint16_t internet_checksum(const void *at, size_t len)
{
	const uint8_t *p = at;
	uint32_t sum = 0;

	for (size_t i = 0; i < len; i++)
		sum += i % 2 == 0 ? p[i] << 8 : p[i];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

void packet_checksum4(uint8_t *ip)
{
	uint16_t sum;

	ip[10] = ip[11] = 0;
	sum = internet_checksum(ip, (ip[0] & 15) * 4);
	ip[10] = sum >> 8;
	ip[11] = sum;
}

uint16_t icmpv6_checksum(const uint8_t *ip, uint16_t len)
{
	uint8_t pseudo[40 + PACKET_MAX] = {0};

	memcpy(pseudo, ip + 8, 32);
	pseudo[34] = (len - 40) >> 8;
	pseudo[35] = len - 40;
	pseudo[39] = IPPROTO_ICMPV6;
	memcpy(pseudo + 40, ip + 40, len - 40);
	return internet_checksum(pseudo, len);
}

struct packet packet_ab(unsigned family)
{
	return (struct packet){
		.family = family,
		.src = family == 4 ? "10.1.0.9" : "2001:db8:1::9",
		.dst = family == 4 ? "10.2.0.9" : "2001:db8:2::9",
		.protocol = IPPROTO_UDP,
		.ttl = 64,
		.sport = 4000,
		.dport = 5000,
		.len = 100,
	};
}

struct packet packet_ba(unsigned family)
{
	struct packet p = packet_ab(family);
	const char *src = p.src;

	p.src = p.dst;
	p.dst = src;
	return p;
}

static void write4(const struct packet *p, uint8_t *ip)
{
	static uint16_t id;

	id++;
	memset(ip, 0, 20);
	ip[0] = 0x45;
	ip[1] = p->tos;
	ip[2] = p->len >> 8;
	ip[3] = p->len;
	ip[4] = id >> 8;
	ip[5] = id;
	ip[6] = p->df ? 0x40 : 0;
	ip[8] = p->ttl;
	ip[9] = p->protocol;
	ck_assert_int_eq(inet_pton(AF_INET, p->src, ip + 12), 1);
	ck_assert_int_eq(inet_pton(AF_INET, p->dst, ip + 16), 1);
	packet_checksum4(ip);
}

static void write6(const struct packet *p, uint8_t *ip)
{
	ip[0] = 0x60 | p->tos >> 4;
	ip[1] = p->tos << 4 | (p->flow_label >> 16 & 15);
	ip[2] = p->flow_label >> 8;
	ip[3] = p->flow_label;
	ip[4] = (p->len - 40) >> 8;
	ip[5] = p->len - 40;
	ip[6] = p->protocol;
	ip[7] = p->ttl;
	ck_assert_int_eq(inet_pton(AF_INET6, p->src, ip + 8), 1);
	ck_assert_int_eq(inet_pton(AF_INET6, p->dst, ip + 24), 1);
}

uint16_t packet_write(const struct packet *p, uint8_t *ip)
{
	uint16_t header = p->family == 4 ? 20 : 40, payload = p->len - header;
	uint8_t ports[4] = {p->sport >> 8, p->sport, p->dport >> 8, p->dport};

	ck_assert_uint_ge(p->len, header);
	ck_assert_uint_le(p->len, PACKET_MAX);
	if (p->family == 4)
		write4(p, ip);
	else
		write6(p, ip);
	for (uint16_t i = 0; i < payload; i++)
		ip[header + i] = i * 7 + (i >> 8) + 1;
	memcpy(ip + header, ports, RTE_MIN(payload, sizeof(ports)));
	return p->len;
}

void packet_hops(uint8_t *ip, uint8_t n)
{
	if (ip[0] >> 4 == 6) {
		ip[7] -= n;
		return;
	}
	ip[8] -= n;
	packet_checksum4(ip);
}

uint16_t esp_payload(const struct sa_spec *sa, const uint8_t *inner, uint16_t len, uint8_t next,
	uint8_t *payload)
{
	bool is_cbc = sa->crypto.cipher != NULL && sa->crypto.cipher->family == ALGORITHM_CBC;
	uint8_t pad = 0;

	memcpy(payload, inner, len);
	while ((len + pad + 2) % (is_cbc ? 16 : 4) != 0) {
		payload[len + pad] = pad + 1;
		pad++;
	}
	payload[len + pad] = pad;
	payload[len + pad + 1] = next;
	return len + pad + 2;
}

static uint16_t write_outer(const struct sa_spec *sa, uint16_t payload, uint8_t *ip)
{
	struct packet p = {
		.family = sa->dst.family,
		.src = sa->dst.family == 4 ? "0.0.0.0" : "::",
		.dst = sa->dst.family == 4 ? "0.0.0.0" : "::",
		.protocol = IPPROTO_ESP,
		.ttl = 60,
	};
	uint16_t header = p.family == 4 ? 20 : 40;

	p.len = header + payload;
	if (p.family == 6) {
		write6(&p, ip);
		memcpy(ip + 8, sa->src.bytes, 16);
		memcpy(ip + 24, sa->dst.bytes, 16);
		return header;
	}
	write4(&p, ip);
	memcpy(ip + 12, sa->src.bytes, 4);
	memcpy(ip + 16, sa->dst.bytes, 4);
	packet_checksum4(ip);
	return header;
}

uint16_t esp_seal(
	const struct sa_spec *sa, uint64_t seq, const uint8_t *payload, uint16_t len, uint8_t *ip)
{
	static struct shape shape;
	const struct crypto_spec *c = &sa->crypto;
	const struct algorithm *a = c->aead != NULL ? c->aead : c->cipher;
	uint8_t icv_len = fixture_icv_len(c), iv[16] = {0};
	uint16_t at = write_outer(sa, 8 + a->iv_len + len + icv_len, ip);
	uint32_t spi = htonl(sa->spi), lo = htonl(seq), hi = htonl(seq >> 32);

	ck_assert(!(sa->esn && c->aead == NULL)); /* what it covers is no run of bytes */
	fixture_random(iv, a->iv_len);
	memcpy(ip + at, &spi, 4);
	memcpy(ip + at + 4, &lo, 4);
	memcpy(ip + at + 8, iv, a->iv_len);

	memcpy(shape.aad, ip + at, 8 + a->iv_len);
	shape.aad_len = 8 + a->iv_len;
	if (c->aead != NULL) {
		shape.aad_len = sa->esn ? 12 : 8;
		if (sa->esn) {
			memcpy(shape.aad + 4, &hi, 4);
			memcpy(shape.aad + 8, &lo, 4);
		}
		if (a->family == ALGORITHM_GMAC) { /* RFC 4543 3.3: the IV too */
			memcpy(shape.aad + shape.aad_len, iv, a->iv_len);
			shape.aad_len += a->iv_len;
		}
	}
	memcpy(shape.nonce, c->key.bytes + a->key_len, a->salt_len);
	memcpy(shape.nonce + a->salt_len, iv, a->iv_len);
	memcpy(shape.text, payload, len);
	shape.text_len = len;
	oracle_encrypt(c, &shape);
	at += 8 + a->iv_len;
	memcpy(ip + at, shape.text, len);
	memcpy(ip + at + len, shape.icv, icv_len);
	return at + len + icv_len;
}

uint16_t esp_seal_packet(
	const struct sa_spec *sa, uint64_t seq, const struct packet *inner, uint8_t *ip)
{
	uint8_t packet[PACKET_MAX], payload[PACKET_MAX + 256];
	uint16_t len = packet_write(inner, packet);

	len = esp_payload(
		sa, packet, len, inner->family == 4 ? IPPROTO_IPIP : IPPROTO_IPV6, payload);
	return esp_seal(sa, seq, payload, len, ip);
}
