/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c - the gateway: a ladder up to running workers, undone in reverse. */
#include <errno.h>
#include <fcntl.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_version.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "args.h"
#include "config.h"
#include "crypto.h"
#include "dpdk_compat.h"
#include "lcores.h"
#include "lease.h"
#include "load.h"
#include "log.h"
#include "loop.h"
#include "ports.h"
#include "routes.h"
#include "spd.h"
#include "views.h"

enum { EXIT_STATUS_OK, EXIT_STATUS_FAILED, EXIT_STATUS_USAGE };

/* Keys are in this process and, expanded, in its hugepages: no core dump, no ptrace by others. */
static int forbid_core_dumps(void)
{
	const struct rlimit none = {0, 0};

	if (prctl(PR_SET_DUMPABLE, 0) < 0 || setrlimit(RLIMIT_CORE, &none) < 0)
		return -errno;
	return 0;
}

static void setup_crypto(
	const struct config *config, const struct lcores *lcores, struct crypto_setup *out)
{
	*out = (struct crypto_setup){
		.n_workers = lcores->n,
		.in_flight = config->in_flight,
		.max_sessions = RTE_MAX(config->n_sas, 1u),
	};
	for (uint16_t i = 0; i < lcores->n; i++)
		out->worker_socket[i] = rte_lcore_to_socket_id(lcores->worker[i]);
	for (unsigned p = 0; p < CRYPTO_PROVIDERS; p++) {
		for (unsigned k = 0; k < config->devices[p].n; k++)
			out->named[p].device[out->named[p].n++] = config->devices[p].name[k];
	}
}

static int open_control(const struct config *config, struct control **out)
{
	struct why why = {0};
	int rc = control_open(
		config->control_socket, config->control_mode, config->control_group, out, &why);

	if (rc < 0)
		log_error("control socket %s: %s", config->control_socket, why.text);
	else if (why.text[0] != '\0')
		log_warning("control socket %s: %s", config->control_socket, why.text);
	return rc;
}

struct worker_arg {
	struct pipeline *pipeline;
	uint16_t worker;
};

static int run_worker(void *arg)
{
	const struct worker_arg *a = arg;

	return pipeline_run(a->pipeline, a->worker);
}

static int run_loop(void *loop)
{
	return loop_run(loop);
}

/* Workers on their lcores and control on main; with one lcore the worker gets it, and control a
 * thread. Returns when both have ended. */
static int run(const struct lcores *lcores, struct loop *loop)
{
	static struct worker_arg arg[CONFIG_LCORE_MAX];
	struct compat_thread thread = {.body = run_loop, .arg = loop};
	uint16_t n = 0;
	int rc;

	if (lcores->on_main) {
		rc = compat_thread_open(&thread, "adit-control");
		if (rc < 0) {
			log_error("no thread for the control loop: %s", strerror(-rc));
			return rc;
		}
		pipeline_run(loop->pipeline, 0);
		return compat_thread_join(&thread);
	}
	for (rc = 0; n < lcores->n; n++) {
		arg[n] = (struct worker_arg){loop->pipeline, n};
		rc = rte_eal_remote_launch(run_worker, &arg[n], lcores->worker[n]);
		if (rc < 0) {
			log_error("lcore %u does not start: %s", lcores->worker[n], strerror(-rc));
			pipeline_stop(loop->pipeline);
			break;
		}
	}
	if (rc == 0)
		rc = loop_run(loop);
	while (n-- > 0)
		rte_eal_wait_lcore(lcores->worker[n]);
	return rc;
}

/* From an initialised EAL to the end of the gateway's life. */
static int gateway(const struct config *config, int signal_fd)
{
	struct config_report report = {.to = stderr};
	static struct ports ports;
	static struct kernel_side kernel;
	static struct routes routes;
	struct loop loop = {.ports = &ports,
		.kernel = &kernel,
		.routes = &routes,
		.config = config,
		.signal_fd = signal_fd};
	struct crypto_setup crypto_setup;
	struct pipeline_setup setup;
	struct views_of views;
	struct lcores lcores;
	struct crypto *crypto;
	struct sa_db *sas;
	struct spd *spd;
	struct rcu rcu;
	struct why why = {0};
	int rc = lcores_choose(config, &lcores, &why);

	if (rc < 0) {
		log_error("%s", why.text);
		return rc;
	}
	if (load_needs_journal(config)) {
		rc = lease_journal_open(config->state_dir, &loop.journal, &why);
		if (rc < 0) {
			log_error("%s", why.text);
			return rc;
		}
	}
	rc = open_control(config, &loop.control);
	if (rc < 0)
		goto close_journal;
	rc = ports_open(config, lcores.n, &ports, &report);
	if (rc < 0)
		goto close_ports;
	rc = kernel_side_open(config, &ports, &kernel, &report);
	if (rc < 0)
		goto close_kernel;
	rc = rcu_open(&rcu, lcores.n);
	if (rc < 0) {
		log_error("no memory for RCU");
		goto close_kernel;
	}
	setup_crypto(config, &lcores, &crypto_setup);
	rc = crypto_open(&crypto_setup, &crypto, &why);
	if (rc < 0) {
		log_error("crypto: %s", why.text);
		goto close_rcu;
	}
	rc = sa_db_open(
		&(struct sa_setup){crypto, &rcu, lcores.n, RTE_MAX(config->n_sas, 1u)}, &sas, &why);
	if (rc < 0) {
		log_error("SAD: %s", why.text);
		goto close_crypto;
	}
	loop.sas = sas;
	loop.crypto = crypto;
	rc = load_sas(config, sas, loop.journal, &report);
	if (rc < 0)
		goto close_sas;
	rc = spd_open(config->policies, config->n_policies, sas, &spd, &why);
	if (rc < 0) {
		log_error("SPD: %s", why.text);
		goto close_sas;
	}
	rc = routes_open(&routes, config, &ports, &kernel, &why);
	if (rc < 0) {
		log_error("routes: %s", why.text);
		goto close_spd;
	}
	load_path_mtus(sas, routes.db, config);
	setup = (struct pipeline_setup){
		.lcores = lcores.worker,
		.n_workers = lcores.n,
		.burst = config->burst,
		.no_ledger = !config->ledger,
		.ports = ports.port,
		.n_ports = ports.n,
		.rcu = &rcu,
		.crypto = crypto,
		.sas = sas,
		.spd = spd,
		.routes = routes.db,
		.backlog = config->in_flight,
		.proof_every = config->proof_every,
		.builtin_arp = config->builtin.arp,
		.builtin_nd = config->builtin.nd,
		.builtin_ike = config->builtin.ike,
		.icmp_rate = config->icmp_rate,
		.punt_rate = {[PUNT_ARP] = 1000,
			[PUNT_ND] = 1000,
			[PUNT_IKE] = 2000,
			[PUNT_LOCAL] = 10000,
			[PUNT_GROUP] = 500},
	};
	rc = pipeline_open(&setup, &loop.pipeline, &why);
	if (rc < 0) {
		log_error("pipeline: %s", why.text);
		goto close_routes;
	}
	rc = kernel_side_start(&kernel, loop.pipeline, &ports, &why);
	if (rc < 0) {
		log_error("kernel: %s", why.text);
		goto close_pipeline;
	}
	views = (struct views_of){
		.crypto = crypto,
		.pipeline = loop.pipeline,
		.sas = sas,
		.ports = ports.port,
		.n_ports = ports.n,
		.builtin_arp = config->builtin.arp,
		.builtin_nd = config->builtin.nd,
		.builtin_ike = config->builtin.ike,
	};
	rc = views_open(loop.control, &views, &why);
	if (rc < 0) {
		log_error("views: %s", why.text);
		goto stop_kernel;
	}
	rc = ports_start(&ports, &why);
	if (rc < 0) {
		log_error("%s", why.text);
		goto close_views;
	}
	log_notice("running: %u ports, %u SAs, %u policies", ports.n, config->n_sas,
		config->n_policies);
	rc = run(&lcores, &loop);
	crypto_stop(crypto);

close_views:
	views_close(loop.control);
stop_kernel:
	kernel_side_stop(&kernel);
close_pipeline:
	pipeline_close(loop.pipeline);
close_routes:
	routes_close(&routes);
close_spd:
	spd_close(spd);
close_sas:
	if (loop.journal != NULL)
		lease_journal_close(loop.journal);
	loop.journal = NULL;
	sa_db_close(sas);
close_crypto:
	crypto_close(crypto);
close_rcu:
	rcu_close(&rcu);
close_kernel:
	kernel_side_close(&kernel);
close_ports:
	ports_close(&ports);
	control_close(loop.control);
close_journal:
	if (loop.journal != NULL)
		lease_journal_close(loop.journal);
	return rc;
}

static int start(const struct args *args, const struct config *config)
{
	int signal_fd, rc;

	log_open("adit", config->log_to, config->log_level);
	signal_fd = loop_block_signals();
	if (signal_fd < 0) {
		log_error("signals: %s", strerror(-signal_fd));
		return signal_fd;
	}
	if (rte_eal_init(args->eal_argc, args->eal_argv) < 0) {
		log_error("the EAL does not start: %s", rte_strerror(rte_errno));
		close(signal_fd);
		return -EIO;
	}
	rc = gateway(config, signal_fd);
	rte_eal_cleanup();
	close(signal_fd);
	return rc;
}

static int init_state(const struct config *config)
{
	struct why why = {0};
	int rc = lease_journal_init(config->state_dir, &why);

	if (rc < 0)
		log_error("%s", why.text);
	else
		log_notice("%s: an empty journal of sequence numbers", config->state_dir);
	return rc;
}

/* What only the devices can tell. */
static void say_unchecked(const struct config *config)
{
	printf("%u ports, %u SAs, %u policies, %u routes, %u neighbours: no error found.\n"
	       "Not checked, for want of the devices: that the ports exist, that the providers can "
	       "do "
	       "the algorithms, that %s holds a journal.\n",
		config->n_ports, config->n_sas, config->n_policies, config->n_routes,
		config->n_neighbours, config->state_dir);
}

static int with_config(const struct args *args)
{
	struct config_report report = {.to = stderr};
	struct config config;
	int rc = config_load(args->config, args->n_configs, &config, &report);

	if (rc < 0) {
		fprintf(stderr, "adit: %u error%s\n", report.errors, report.errors == 1 ? "" : "s");
		return rc;
	}
	if (args->mode == ARGS_CHECK)
		say_unchecked(&config);
	else if (args->mode == ARGS_INIT_STATE)
		rc = init_state(&config);
	else
		rc = start(args, &config);
	config_close(&config);
	return rc;
}

/* Whoever started us without them must not get our messages into the next file that is opened. */
static void keep_standard_fds(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", O_RDWR); /* the lowest that is free: fd */
	}
}

int main(int argc, char **argv)
{
	struct args args;
	int rc;

	keep_standard_fds();
	if (args_parse(argc, argv, &args) < 0)
		return EXIT_STATUS_USAGE;
	switch (args.mode) {
	case ARGS_HELP: args_print_help(stdout); return EXIT_STATUS_OK;
	case ARGS_VERSION:
		printf("adit %s, %s\n", ADIT_VERSION, rte_version());
		return EXIT_STATUS_OK;
	case ARGS_DESCRIBE: pipeline_describe(stdout); return EXIT_STATUS_OK;
	default: break;
	}
	rc = forbid_core_dumps();
	if (rc < 0) {
		fprintf(stderr, "adit: core dumps cannot be turned off: %s\n", strerror(-rc));
		return EXIT_STATUS_FAILED;
	}
	return with_config(&args) < 0 ? EXIT_STATUS_FAILED : EXIT_STATUS_OK;
}
