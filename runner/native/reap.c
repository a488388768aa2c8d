// Takes note of the end of a program whose worker has died. Only the process that has started a
// program can do so, and Node can only for those that a living thread still has a handle of.
//
// It is a module of Node's that is linked with nothing: what it calls is found in the process that
// loads it, so it fits whatever Node and C library are there. The declarations are those of
// Node-API, which do not change.

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

// Whether this process has no such child any more.
static napi_value reap(napi_env env, napi_callback_info info) {
  napi_value argument = NULL;
  napi_value gone = NULL;
  size_t count = 1;
  int32_t pid = 0;
  if (napi_get_cb_info(env, info, &count, &argument, NULL, NULL) != 0) return NULL;
  // Zero and less would mean any child, also those of workers that live.
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
