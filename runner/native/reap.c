// Reaps a program whose worker has died. Only the parent process can do that, and Node only does
// it for programs that a living thread has a handle of.
//
// This is a Node module linked with nothing: its symbols are found in the process that loads it, so
// it works with any Node and C library. The declarations are those of Node-API, which is stable.

#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

typedef struct napi_env__* napi_env;
typedef struct napi_value__* napi_value;
typedef struct napi_callback_info__* napi_callback_info;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);

extern int napi_get_cb_info(napi_env, napi_callback_info, size_t*, napi_value*, napi_value*,
                            void**);
extern int napi_get_value_int32(napi_env, napi_value, int32_t*);
extern int napi_get_boolean(napi_env, _Bool, napi_value*);
extern int napi_create_function(napi_env, const char*, size_t, napi_callback, void*, napi_value*);

// Returns whether this process no longer has that child.
static napi_value reap(napi_env env, napi_callback_info info) {
  napi_value argument = NULL;
  napi_value gone = NULL;
  size_t count = 1;
  int32_t pid = 0;
  if (napi_get_cb_info(env, info, &count, &argument, NULL, NULL) != 0) return NULL;
  // Zero or less would mean any child, including those of living workers.
  if (napi_get_value_int32(env, argument, &pid) != 0 || pid <= 0) return NULL;
  (void)napi_get_boolean(env, waitpid(pid, NULL, WNOHANG) != 0, &gone);
  return gone;
}

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env,
                                                                          napi_value exports) {
  napi_value function = exports;
  (void)napi_create_function(env, "reap", sizeof "reap" - 1, reap, NULL, &function);
  return function;
}
