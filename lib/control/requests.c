/* SPDX-License-Identifier: BSD-3-Clause */
/* requests.c - from a line of text to the line that answers it. */
#include "requests.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request_command {
	const char *name;
	control_handler *handler;
	void *arg;
	const char *help;
};

static struct request_command *find(const struct requests *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(name, r->command[i].name) == 0)
			return &r->command[i];
	return NULL;
}

int requests_add(struct requests *r, const char *command, control_handler *handler, void *arg,
	const char *help)
{
	struct request_command *more = reallocarray(r->command, r->n + 1, sizeof(*more));

	if (more == NULL)
		return -ENOMEM;
	more[r->n] = (struct request_command){command, handler, arg, help};
	r->command = more;
	r->n++;
	return 0;
}

void *requests_forget(struct requests *r, const char *command)
{
	struct request_command *c = find(r, command);
	void *arg;

	if (c == NULL)
		return NULL;
	arg = c->arg;
	r->n--;
	memmove(c, c + 1, (size_t)(r->command + r->n - c) * sizeof(*c));
	return arg;
}

void requests_close(struct requests *r)
{
	free(r->command);
	*r = (struct requests){0};
}

/* Takes the object away. The NUL that ends jansson's text becomes the newline that ends ours. */
static char *line_of(json_t *object, size_t *len)
{
	char *text = object == NULL ? NULL : json_dumps(object, JSON_COMPACT);

	json_decref(object);
	if (text != NULL) {
		*len = strlen(text) + 1;
		text[*len - 1] = '\n';
	}
	return text;
}

char *requests_refuse(const char *text, size_t *answer_len)
{
	json_t *words = json_string(text);

	/* What a client sent may stand in the text, cut in the middle of a character. */
	if (words == NULL)
		words = json_string("the request names something that is not UTF-8");
	return line_of(json_pack("{s:b, s:o}", "ok", 0, "error", words), answer_len);
}

static char *refuse_unknown(const struct requests *r, const char *command, size_t *answer_len)
{
	char *text = NULL, *answer;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (f == NULL)
		return NULL;
	fprintf(f, "no command \"%s\"; there are: help", command);
	for (size_t i = 0; i < r->n; i++)
		fprintf(f, ", %s", r->command[i].name);
	answer = fclose(f) == 0 ? requests_refuse(text, answer_len) : NULL;
	free(text);
	return answer;
}

static json_t *help(const struct requests *r)
{
	json_t *all = json_array();

	for (size_t i = 0; i < r->n; i++)
		json_array_append_new(all, json_pack("{s:s, s:s}", "do", r->command[i].name, "help",
						   r->command[i].help));
	return all;
}

static char *run(
	const struct requests *r, const char *name, const json_t *request, size_t *answer_len)
{
	const struct request_command *command = find(r, name);
	struct why why = {"out of memory"};
	json_t *data;

	if (command != NULL)
		data = command->handler(request, command->arg, &why);
	else if (strcmp(name, "help") == 0)
		data = help(r);
	else
		return refuse_unknown(r, name, answer_len);
	if (data == NULL)
		return requests_refuse(why.text, answer_len);
	return line_of(json_pack("{s:b, s:o}", "ok", 1, "data", data), answer_len);
}

char *requests_answer(const struct requests *r, const char *line, size_t len, size_t *answer_len)
{
	const char *name;
	json_error_t error;
	json_t *request;
	struct why why;
	char *answer;

	request = json_loadb(line, len, JSON_REJECT_DUPLICATES, &error);
	if (request == NULL) {
		why_set(&why, 0, "not a JSON object in one line: %s", error.text);
		return requests_refuse(why.text, answer_len);
	}
	name = json_string_value(json_object_get(request, "do"));
	if (name != NULL)
		answer = run(r, name, request, answer_len);
	else
		answer = requests_refuse("a request is an object with a word \"do\", as "
					 "{\"do\": \"help\"}",
			answer_len);
	json_decref(request);
	return answer;
}
