// Ends a process while it writes files that last, or lets this fail: preloaded, it stands before fsync and rename. Of
// rank END_RANK the END_CALL-th of these calls does not come: the process is killed, or with END_ERROR the call has that
// error.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int calls;

static int ends(void) {
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  return rank && strcmp(rank, getenv("END_RANK")) == 0 && ++calls == atoi(getenv("END_CALL"));
}

static int end(void) {
  if (!getenv("END_ERROR"))
    kill(getpid(), SIGKILL);
  errno = atoi(getenv("END_ERROR"));
  return -1;
}

int fsync(int file) {
  int (*call)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  return ends() ? end() : call(file);
}

int rename(const char *from, const char *to) {
  int (*call)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
  return ends() ? end() : call(from, to);
}
