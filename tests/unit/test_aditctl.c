/* SPDX-License-Identifier: BSD-3-Clause */
/* test_aditctl.c - what a person and a script see of aditctl, against a gateway of one answer. */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/test_aditctl.XXXXXX";
static char path[64];
static char output[1 << 20]; /* of the last run, both streams */
static int listener;
static pid_t gateway;

static void setup(void)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/control", folder);
	strcpy(at.sun_path, path);
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(bind(listener, (struct sockaddr *)&at, sizeof(at)), 0);
	ck_assert_int_eq(listen(listener, 1), 0);
	setenv("ADIT_SOCKET", path, 1);
	gateway = 0;
}

static void teardown(void)
{
	if (gateway > 0) {
		kill(gateway, SIGKILL);
		waitpid(gateway, NULL, 0);
	}
	close(listener);
	unlink(path);
	rmdir(folder);
}

struct talk {
	const char *request, *answer;
};

/* Takes a client, checks what it asks, says this in two pieces, hangs up. NULL: says nothing and
 * does not hang up. */
static void talk(const struct talk *t)
{
	const char *answer = t->answer;
	char heard[4096];
	ssize_t n;
	int fd;

	fd = accept(listener, NULL, NULL);
	n = recv(fd, heard, sizeof(heard) - 1, 0);
	heard[n < 0 ? 0 : n] = '\0';
	if (strcmp(heard, t->request) != 0)
		answer = heard;
	if (answer == NULL)
		pause();
	n = send(fd, answer, strlen(answer) / 2, MSG_NOSIGNAL);
	usleep(10000);
	send(fd, answer + n, strlen(answer) - (size_t)n, MSG_NOSIGNAL);
	close(fd);
}

/* A gateway that has so many clients, one after the other. */
static void answer_each(const struct talk *talks, size_t n)
{
	gateway = fork();
	if (gateway != 0)
		return;
	for (size_t i = 0; i < n; i++)
		talk(&talks[i]);
	_exit(0);
}

static void answer_with(const char *request, const char *answer)
{
	answer_each(&(struct talk){request, answer}, 1);
}

/* A line for the shell. */
static int run(const char *line)
{
	FILE *f = popen(line, "r");
	size_t len = fread(output, 1, sizeof(output) - 1, f);
	int status;

	output[len] = '\0';
	status = pclose(f);
	ck_assert_msg(WIFEXITED(status), "aditctl died: %s", output);
	return WEXITSTATUS(status);
}

static int run_with(const char *arguments)
{
	char line[512];

	snprintf(line, sizeof(line), "2>&1 " ADITCTL " %s", arguments);
	return run(line);
}

#define ASKS(what) "{\"do\":\"" what "\",\"per_worker\":false}\n"
#define DATA(data) "{\"ok\":true,\"data\":" data "}\n"

#define TWO_SAS                                                                                    \
	"[{\"name\":\"to-b\",\"direction\":\"out\",\"spi\":\"0x2001\",\"src\":\"192.0.2.1\","      \
	"\"dst\":\"2001:db8::2\",\"reqid\":1,\"mode\":\"tunnel\",\"algorithm\":\"aes-128-gcm\","   \
	"\"esn\":true,\"provider\":\"aesni_mb\",\"sequence\":9007199254740993,\"packets\":0,"      \
	"\"bytes\":0},"                                                                            \
	"{\"name\":\"from-b\",\"direction\":\"in\",\"spi\":\"0x101\",\"src\":\"any\","             \
	"\"dst\":\"192.0.2.1\",\"reqid\":4294967295,\"mode\":\"tunnel\","                          \
	"\"algorithm\":\"null+hmac-sha1-96\",\"esn\":false,\"provider\":\"openssl\","              \
	"\"replay_window\":1024,\"sequence\":\"18446744073709551614\",\"packets\":12,\"bytes\":"   \
	"34}]"
#define TWO_EXITS                                                                                  \
	"[{\"name\":\"out_runt\",\"becomes\":\"drop\",\"packets\":0,\"meaning\":\"too short\"},"   \
	"{\"name\":\"ttl_expired\",\"becomes\":\"reply\",\"packets\":7,\"meaning\":\"it ends\"}]"
#define WORKERS                                                                                    \
	"{\"workers\":[{\"worker\":0,\"lcore\":1,\"received\":10,\"made\":1,\"sent\":8,"           \
	"\"exits\":2,\"merged\":0,\"parked\":0,\"polls\":9,\"idle_polls\":3,"                      \
	"\"busy_cycles\":600,\"idle_cycles\":200,\"idle_percent\":25.0}],"                         \
	"\"books\":{\"received\":10,\"made\":1,\"sent\":8,\"exits\":2,\"merged\":0,\"parked\":0,"  \
	"\"in_hand\":1},\"stages\":[{\"lane\":\"out\",\"stage\":\"ttl\",\"packets\":4,"            \
	"\"cycles\":10,\"cycles_per_packet\":2.5},{\"lane\":\"in\",\"stage\":\"ttl\","             \
	"\"packets\":0,\"cycles\":0,\"cycles_per_packet\":null}]}"

#define PORTS                                                                                      \
	"[{\"name\":\"lan\",\"device\":\"0000:00:05.0\",\"driver\":\"net_e1000_em\","              \
	"\"side\":\"protected\",\"link\":\"down\",\"mac\":\"02:00:00:00:01:01\",\"mtu\":1500,"     \
	"\"rx_queues\":1,\"tx_queues\":1,\"receivers\":\"rings\",\"offloads\":\"none\","           \
	"\"rx_packets\":12,\"rx_bytes\":3,\"rx_dropped\":4,\"rx_errors\":5,\"tx_packets\":6,"      \
	"\"tx_bytes\":7,\"tx_errors\":8}]"
#define CRYPTO                                                                                     \
	"[{\"device\":\"crypto_scheduler0\",\"provider\":\"qat on crypto_scheduler0\",\"kind\":"   \
	"\"lookaside\",\"state\":\"given up\",\"sessions\":2,\"in_flight\":9,\"done\":100,"        \
	"\"failed\":4,\"lost\":3,\"late\":1}]"
#define POLICIES                                                                                   \
	"[{\"name\":\"arp\",\"direction\":\"in\",\"action\":\"bypass\",\"on\":false,"              \
	"\"selectors\":\"ARP\",\"source\":\"built in\",\"packets\":0},"                            \
	"{\"name\":\"dns\",\"direction\":\"out\",\"action\":\"protect\",\"on\":true,"              \
	"\"priority\":50,\"reqid\":7,\"src\":\"10.1.0.0/24\",\"dst\":\"any\",\"protocol\":"        \
	"\"udp\",\"src_ports\":\"any\",\"dst_ports\":\"53\",\"source\":\"a.yaml:12\","             \
	"\"packets\":9,\"bytes\":900},"                                                            \
	"{\"name\":\"rest\",\"direction\":\"in\",\"action\":\"discard\",\"on\":true,"              \
	"\"priority\":100,\"src\":\"any\",\"dst\":\"any\",\"protocol\":\"any\",\"src_ports\":"     \
	"\"any\",\"dst_ports\":\"any\",\"source\":\"a.yaml:20\",\"packets\":0,\"bytes\":0}]"

static const struct {
	const char *arguments, *request, *answer, *shows;
	int status;
} answers[] = {
	{"sa", ASKS("sa"), DATA(TWO_SAS),
		"NAME    DIR  SPI     SRC        DST               REQID  MODE    "
		"ALGORITHM          ESN  PROVIDER  WINDOW              SEQUENCE  PACKETS  BYTES\n"
		"to-b    out  0x2001  192.0.2.1  2001:db8::2           1  tunnel  "
		"aes-128-gcm        yes  aesni_mb       -      9007199254740993        0      0\n"
		"from-b  in   0x101   any        192.0.2.1    4294967295  tunnel  "
		"null+hmac-sha1-96  no   openssl     1024  18446744073709551614       12     34\n",
		0},
	{"sa --json", ASKS("sa"), DATA(TWO_SAS), TWO_SAS "\n", 0},
	{"sa", ASKS("sa"), DATA("[]"),
		"NAME  DIR  SPI  SRC  DST  REQID  MODE  ALGORITHM  ESN  PROVIDER  WINDOW  "
		"SEQUENCE  PACKETS  BYTES\n",
		0},
	{"sa", ASKS("sa"), DATA("[{\"name\":\"\\u001b[2J\\nx\"}]"),
		"NAME    DIR  SPI  SRC  DST  REQID  MODE  ALGORITHM  ESN  PROVIDER  WINDOW  "
		"SEQUENCE  PACKETS  BYTES\n"
		"?[2J?x  -    -    -    -        -  -     -          -    -              -  "
		"       -        -      -\n",
		0},
	{"exits", ASKS("exits"), DATA(TWO_EXITS),
		"EXIT         BECOMES  PACKETS  MEANING\n"
		"ttl_expired  reply          7  it ends\n",
		0},
	{"exits --all", ASKS("exits"), DATA(TWO_EXITS),
		"EXIT         BECOMES  PACKETS  MEANING\n"
		"out_runt     drop           0  too short\n"
		"ttl_expired  reply          7  it ends\n",
		0},
	{"exits --json", ASKS("exits"), DATA(TWO_EXITS), TWO_EXITS "\n", 0},
	{"--json --per-worker exits", "{\"do\":\"exits\",\"per_worker\":true}\n", DATA("[]"),
		"[]\n", 0},
	{"workers", ASKS("workers"), DATA(WORKERS),
		"WORKER  LCORE  RECEIVED  MADE  SENT  EXITS  MERGED  PARKED  POLLS  IDLE_POLLS  "
		"BUSY_CYCLES  IDLE_CYCLES  IDLE%\n"
		"     0      1        10     1     8      2       0       0      9           3  "
		"        600          200   25.0\n"
		"\n"
		"received 10 + made 1 = sent 8 + exits 2 + merged 0 + parked 0 + in hand 1\n"
		"\n"
		"LANE  STAGE  PACKETS  CYCLES  CYCLES/PACKET\n"
		"out   ttl          4      10            2.5\n",
		0},
	{"crypto", ASKS("crypto"), DATA(CRYPTO),
		"DEVICE             PROVIDER                  KIND       STATE     SESSIONS  "
		"IN_FLIGHT  "
		"DONE  FAILED  LOST  LATE\n"
		"crypto_scheduler0  qat on crypto_scheduler0  lookaside  given up         2        "
		"  9  "
		" 100       4     3     1\n",
		0},
	{"ports", ASKS("ports"), DATA(PORTS),
		"NAME  DEVICE        DRIVER        SIDE       LINK  MAC                 MTU  RXQ  "
		"TXQ  RECEIVERS  OFFLOADS  RX_PACKETS  RX_DROPPED  RX_ERRORS  TX_PACKETS  "
		"TX_ERRORS\n"
		"lan   0000:00:05.0  net_e1000_em  protected  down  02:00:00:00:01:01  1500    1  "
		"  1  rings      none              12           4          5           6  "
		"        8\n",
		0},
	{"ports --json", ASKS("ports"), DATA(PORTS), PORTS "\n", 0},
	{"policy", ASKS("policy"), DATA(POLICIES),
		"NAME  DIR  ACTION   ON   PRIORITY  REQID  PACKETS  BYTES  SOURCE     SELECTORS\n"
		"arp   in   bypass   no          -      -        0      -  built in   ARP\n"
		"dns   out  protect  yes        50      7        9    900  a.yaml:12  src "
		"10.1.0.0/24 protocol udp dst_ports 53\n"
		"rest  in   discard  yes       100      -        0      0  a.yaml:20  any\n",
		0},
	{"policy --json", ASKS("policy"), DATA(POLICIES), POLICIES "\n", 0},
	{"policy", ASKS("policy"), DATA("[7]"),
		"NAME  DIR  ACTION  ON  PRIORITY  REQID  PACKETS  BYTES  SOURCE  SELECTORS\n"
		"-     -    -       -          -      -        -      -  -       -\n",
		0},
	{"sa", ASKS("sa"), "{\"ok\":false,\"error\":\"not today\"}\n", "aditctl: not today\n", 1},
	{"sa", ASKS("sa"), DATA("{\"surprise\":[1]}"),
		"NAME  DIR  SPI  SRC  DST  REQID  MODE  ALGORITHM  ESN  PROVIDER  WINDOW  "
		"SEQUENCE  PACKETS  BYTES\n",
		0},
	{"sa from-b", ASKS("sa"), DATA(TWO_SAS),
		"NAME    DIR  SPI    SRC  DST             REQID  MODE    ALGORITHM          ESN  "
		"PROVIDER  WINDOW              SEQUENCE  PACKETS  BYTES\n"
		"from-b  in   0x101  any  192.0.2.1  4294967295  tunnel  null+hmac-sha1-96  no   "
		"openssl     1024  18446744073709551614       12     34\n",
		0},
	{"sa --names", ASKS("sa"), DATA(TWO_SAS), "to-b\nfrom-b\n", 0},
	{"--names sa from-b from-b", ASKS("sa"), DATA(TWO_SAS), "from-b\n", 0},
	{"--names policy", ASKS("policy"), DATA("[{\"name\":\"a\\u001b\"},{},7]"), "a?\n\n\n", 0},
	{"sa to-b nobody", ASKS("sa"), DATA(TWO_SAS), "aditctl: there is none of the name nobody\n",
		1},
	{"exits out_runt", ASKS("exits"), DATA(TWO_EXITS),
		"EXIT      BECOMES  PACKETS  MEANING\n"
		"out_runt  drop           0  too short\n",
		0},
	{"exits ttl_expired --json", ASKS("exits"), DATA(TWO_EXITS),
		"[{\"name\":\"ttl_expired\",\"becomes\":\"reply\",\"packets\":7,\"meaning\":\"it "
		"ends\"}]\n",
		0},
	{"sa > /dev/full", ASKS("sa"), DATA(TWO_SAS),
		"aditctl: standard output: No space left on device\n", 1},
};

START_TEST(an_answer_is_shown_to_the_letter)
{
	answer_with(answers[_i].request, answers[_i].answer);
	ck_assert_int_eq(run_with(answers[_i].arguments), answers[_i].status);
	ck_assert_str_eq(output, answers[_i].shows);
}
END_TEST

#define PORT(name, rx, rx_bytes, tx)                                                               \
	"{\"name\":\"" name "\",\"side\":\"protected\",\"link\":\"up\",\"rx_packets\":" rx         \
	",\"rx_bytes\":" rx_bytes ",\"rx_dropped\":0,\"rx_errors\":0,\"tx_packets\":" tx           \
	",\"tx_bytes\":0,\"tx_errors\":0}"
#define SA(name, dir, packets, bytes)                                                              \
	"{\"name\":\"" name "\",\"direction\":\"" dir                                              \
	"\",\"spi\":\"0x1\",\"dst\":\"192.0.2.1\",\"provider\":\"openssl\",\"packets\":" packets   \
	",\"bytes\":" bytes "}"

/* Two looks at a gateway: one port counts anew in between, one SA comes. Rates are of about a second: they
 * are checked to their first digit. */
static const struct talk looks[] = {
	{ASKS("ports"), DATA("[" PORT("lan", "5000", "0", "7") "," PORT("wan", "9", "9", "9") "]")},
	{ASKS("sa"), DATA("[" SA("idle", "in", "3", "3") "," SA("busy", "out", "0", "0") "]")},
	{ASKS("exits"), DATA(TWO_EXITS)},
	{ASKS("ports"), DATA("[" PORT("lan", "1005000", "1000000000", "7") "," PORT(
				"wan", "8", "9", "9") "]")},
	{ASKS("sa"), DATA("[" SA("idle", "in", "3", "3") "," SA("busy", "out", "2000000",
			     "250000000") "," SA("new", "out", "50", "50") "]")},
	{ASKS("exits"), DATA("[{\"name\":\"out_runt\",\"becomes\":\"drop\",\"packets\":0},"
			     "{\"name\":\"ttl_expired\",\"becomes\":\"reply\",\"packets\":7}]")},
};

/* The words of the line that begins with this one; "" where there is none. */
static void words_of(const char *first, char out[static 16][32])
{
	size_t len = strlen(first);
	int n = 0;

	memset(out, 0, 16 * 32);
	for (char *line = output; line != NULL; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, first, len) == 0 && line[len] == ' ') {
			for (int at = 0; n < 16 && line[at] != '\n' && line[at] != '\0'; at += 0) {
				int used = 0;

				if (sscanf(line + at, "%31[^ \n]%n", out[n], &used) == 1)
					n++;
				at += used;
				at += (int)strspn(line + at, " ");
			}
			return;
		}
	}
}

/* What a rate over a second and a little comes to: never more, and not much less. */
static void is_about(const char *word, double rate)
{
	ck_assert_msg(atof(word) <= rate && atof(word) > 0.5 * rate, "%s, not %f: %s", word, rate,
		output);
}

START_TEST(top_shows_rates_once_where_there_is_no_terminal)
{
	char word[16][32];

	answer_each(looks, sizeof(looks) / sizeof(looks[0]));
	ck_assert_int_eq(run_with(_i == 0 ? "top" : "top --once"), 0);
	ck_assert_ptr_null(strchr(output, '\033'));
	words_of("lan", word); /* SIDE LINK RX_PPS RX_MBPS TX_PPS */
	is_about(word[3], 1e6);
	is_about(word[4], 8000);
	ck_assert_str_eq(word[5], "0");
	words_of("wan", word);
	ck_assert_str_eq(word[3], "-");
	ck_assert_str_eq(word[5], "0");
	words_of("busy", word); /* DIR SPI PROVIDER PPS MBPS */
	is_about(word[4], 2e6);
	is_about(word[5], 2000);
	words_of("idle", word);
	ck_assert_str_eq(word[4], "0");
	words_of("new", word);
	ck_assert_str_eq(word[4], "-");
	ck_assert_ptr_nonnull(strstr(output, "\nbusy"));
	ck_assert(strstr(output, "\nbusy") < strstr(output, "\nidle"));
	ck_assert(strstr(output, "\nidle") < strstr(output, "\nnew"));
	words_of("ttl_expired", word);
	ck_assert_str_eq(word[2], "0");
	ck_assert_str_eq(word[3], "7");
	ck_assert_ptr_null(strstr(output, "out_runt"));
}
END_TEST

START_TEST(top_gives_its_rates_as_json)
{
	answer_each(looks, sizeof(looks) / sizeof(looks[0]));
	ck_assert_int_eq(run_with("top --json"), 0);
	ck_assert_msg(strncmp(output, "{\"seconds\":1.", 13) == 0, "%s", output);
	ck_assert_ptr_nonnull(
		strstr(output, "{\"name\":\"wan\",\"side\":\"protected\",\"link\":\"up\","
			       "\"rx_pps\":null,\"rx_mbps\":0.0,"));
	ck_assert_ptr_nonnull(
		strstr(output, "{\"name\":\"out_runt\",\"becomes\":\"drop\",\"packets\":0,"
			       "\"pps\":0}"));
}
END_TEST

START_TEST(top_ends_with_a_gateway_that_ends)
{
	answer_each(looks, 4);
	ck_assert_int_eq(run_with("top"), 3);
	ck_assert_msg(strstr(output, "no gateway answers") != NULL, "%s", output);
}
END_TEST

/* Each is an answer of something that keeps to no protocol. */
static const struct {
	const char *answer, *says;
} nonsense[] = {
	{"", "it hung up"},
	{"{\"ok\":true,\"data\":[", "it hung up"},
	{"{\"ok\":true}\n", "no adit"},
	{"{\"ok\":false}\n", "no adit"},
	{"{\"ok\":1,\"data\":[]}\n", "no adit"},
	{"{\"ok\":true,\"data\":[}\n", "no adit"},
	{"[]\n", "no adit"},
	{"220 mail.example ESMTP\r\n", "no adit"},
	{"\n", "no adit"},
};

START_TEST(nonsense_is_no_gateway)
{
	answer_with(ASKS("sa"), nonsense[_i].answer);
	ck_assert_int_eq(run_with("sa"), 3);
	ck_assert_ptr_nonnull(strstr(output, "no gateway answers at /tmp/test_aditctl."));
	ck_assert_msg(strstr(output, nonsense[_i].says) != NULL, "%s", output);
}
END_TEST

START_TEST(a_silent_gateway_is_given_up_after_five_seconds)
{
	time_t start = time(NULL);

	answer_with(ASKS("sa"), NULL);
	ck_assert_int_eq(run_with("sa"), 3);
	ck_assert_ptr_nonnull(strstr(output, "nothing came for 5 seconds"));
	ck_assert_int_ge(time(NULL) - start, 4);
	ck_assert_int_le(time(NULL) - start, 15);
}
END_TEST

static const struct {
	const char *arguments;
	int status;
	const char *says;
} calls[] = {
	{"", 2, "a command is missing"},
	{"nonsense", 2, "no command nonsense"},
	{"workers exits", 2, "one command at a time; this is too much: exits"},
	{"workers 1", 2, "this command takes no names: 1"},
	{"crypto --names", 2, "--names says nothing to crypto"},
	{"sa --names --json", 2, "--names or --json, not both"},
	{"sa --once", 2, "--once says nothing to sa"},
	{"top sa", 2, "one command at a time"},
	{"top --all", 2, "--all says nothing to top"},
	{"top --socket /nonexistent/adit", 3, "no gateway answers at /nonexistent/adit"},
	{"sa --all", 2, "--all says nothing to sa"},
	{"policy --all", 2, "--all says nothing to policy"},
	{"ports --all", 2, "--all says nothing to ports"},
	{"exits --per-worker", 2, "belongs to exits --json"},
	{"sa --per-worker --json", 2, "belongs to exits --json"},
	{"sa --nonsense", 2, "unrecognized option"},
	{"sa --socket", 2, "requires an argument"},
	{"--help", 0, "usage: aditctl [options] command"},
	{"--version", 0, "aditctl 0."},
	{"sa --socket /nonexistent/adit", 3,
		"no gateway answers at /nonexistent/adit: No such file or directory; is adit "
		"running?"},
	{"sa --socket /dev/null", 3, "no gateway answers at /dev/null: Connection refused"},
	{"sa --socket "
	 "/0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/"
	 "0123456789/0123456789/0123456789",
		3, "the path is too long"},
};

START_TEST(a_call_that_reaches_nobody_ends_with_its_own_status)
{
	ck_assert_int_eq(run_with(calls[_i].arguments), calls[_i].status);
	ck_assert_msg(strstr(output, calls[_i].says) != NULL, "%s", output);
}
END_TEST

START_TEST(a_reader_that_has_seen_enough_is_no_failure)
{
	size_t size = 4 << 20, len;
	char *answer = malloc(size);

	len = (size_t)sprintf(answer, "{\"ok\":true,\"data\":[{\"name\":\"first\"}");
	while (len < size - 100)
		len += (size_t)sprintf(answer + len, ",{\"name\":\"%050zu\"}", len);
	strcpy(answer + len, "]}\n");
	answer_with(ASKS("sa"), answer);
	ck_assert_int_eq(
		run("{ { " ADITCTL " sa; echo $? >&3; } | head -n 1 >/dev/null; } 3>&1 2>&1"), 0);
	ck_assert_msg(strcmp(output, "0\n") == 0, "%s", output);
	free(answer);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("aditctl");
	TCase *t = tcase_create("all");
	SRunner *r;

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 30);
	tcase_add_loop_test(
		t, an_answer_is_shown_to_the_letter, 0, sizeof(answers) / sizeof(answers[0]));
	tcase_add_loop_test(t, top_shows_rates_once_where_there_is_no_terminal, 0, 2);
	tcase_add_test(t, top_gives_its_rates_as_json);
	tcase_add_test(t, top_ends_with_a_gateway_that_ends);
	tcase_add_loop_test(t, nonsense_is_no_gateway, 0, sizeof(nonsense) / sizeof(nonsense[0]));
	tcase_add_test(t, a_silent_gateway_is_given_up_after_five_seconds);
	tcase_add_loop_test(t, a_call_that_reaches_nobody_ends_with_its_own_status, 0,
		sizeof(calls) / sizeof(calls[0]));
	tcase_add_test(t, a_reader_that_has_seen_enough_is_no_failure);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
