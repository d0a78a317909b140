// SPDX-License-Identifier: BSD-3-Clause
/* Preloaded into User Mode Linux: lets it write its processes' floating point registers on
 * processors whose XSAVE area is larger than the one it knows.
 *
 * User Mode Linux 6.1 reads and writes NT_X86_XSTATE with a buffer of fixed size. The kernel cuts what
 * it hands out to the buffer, but takes back only a whole area (xstateregs_set() in
 * arch/x86/kernel/fpu/regset.c): with AMX, whose tiles make it 11,008 bytes, it says EFAULT and the
 * guest's first process ends. Here the bytes that the guest does not know are those that its process
 * has already. Where the area is smaller than the guest's buffer, the rest of the buffer means nothing. */
#include <dlfcn.h>
#include <elf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#define XSTATE_MAX 65536

typedef long ptrace_fn(int request, ...);

static ptrace_fn *real;

/* Not at the first call, which is a traced process's own. */
__attribute__((constructor)) static void xstate_init(void)
{
	real = (ptrace_fn *)dlsym(RTLD_NEXT, "ptrace");
}

static long write_whole(pid_t pid, const struct iovec *known)
{
	static char bytes[XSTATE_MAX] __attribute__((aligned(64)));
	struct iovec whole = {.iov_base = bytes, .iov_len = sizeof(bytes)};

	if (real(PTRACE_GETREGSET, pid, (void *)NT_X86_XSTATE, &whole) != 0)
		return -1;
	memcpy(bytes, known->iov_base,
		known->iov_len < whole.iov_len ? known->iov_len : whole.iov_len);
	return real(PTRACE_SETREGSET, pid, (void *)NT_X86_XSTATE, &whole);
}

long ptrace(enum __ptrace_request request, ...)
{
	void *addr, *data;
	va_list args;
	pid_t pid;

	va_start(args, request);
	pid = va_arg(args, pid_t);
	addr = va_arg(args, void *);
	data = va_arg(args, void *);
	va_end(args);
	if (request == PTRACE_SETREGSET && (unsigned long)addr == NT_X86_XSTATE)
		return write_whole(pid, data);
	return real(request, pid, addr, data);
}
