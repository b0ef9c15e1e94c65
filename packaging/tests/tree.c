/* A target with programs of its own, for the tests of trees of processes. `tree TOKEN answer` starts a program that starts another,
   which hangs, and answers. `tree TOKEN hang` does the same, but hangs itself. The token is on all command lines. */
#include <stdio.h>
#include <string.h>
#include <windows.h>

static void start(const char *token, const char *what) {
  char program[MAX_PATH], command[4096];
  STARTUPINFOA startup = {sizeof startup};
  PROCESS_INFORMATION started;
  GetModuleFileNameA(NULL, program, sizeof program);
  snprintf(command, sizeof command, "\"%s\" %s %s", program, token, what);
  if (!CreateProcessA(NULL, command, NULL, NULL, FALSE, 0, NULL, NULL, &startup, &started)) ExitProcess(9);
}

int main(int count, char **words) {
  if (count < 3) return 9;
  if (!strcmp(words[2], "answer")) {
    start(words[1], "middle");
    Sleep(1000);
    puts("{\"response\": \"set\"}");
    return 0;
  }
  if (!strcmp(words[2], "hang")) start(words[1], "middle");
  /* The program in the middle ends, so nobody knows the parent of the last one. */
  if (!strcmp(words[2], "middle")) {
    start(words[1], "last");
    return 0;
  }
  Sleep(INFINITE);
}
