// The replaced functions, and the queue of jobs.
#include "fuzz/http_driver.h"

#include "fuzz/fuzz.h"
#include "web/http/api.h"
#include "web/http/pool.h"

#include <microhttpd.h>
#include <stdarg.h>

enum { WAITING_MAX = 32 };

static bool is_on;
static WebJob waiting[WAITING_MAX];
static unsigned count;

bool __real_web_pool_add(WebPool *pool, WebLane lane, WebJob job);
bool __wrap_web_pool_add(WebPool *pool, WebLane lane, WebJob job);
const atomic_bool *__real_web_stop(const WebCall *call);
const atomic_bool *__wrap_web_stop(const WebCall *call);
struct MHD_Daemon *__wrap_MHD_start_daemon(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback admit,
                                           void *admit_context, MHD_AccessHandlerCallback handle, void *handle_context,
                                           ...);

void http_driver_begin(void)
{
    is_on = true;
}

void http_driver_pause(void)
{
    is_on = false;
}

void http_driver_end(void)
{
    REQUIRE(count == 0);
    is_on = false;
}

// Turns of agents and long work have no lane here, as on a server whose lanes are full.
bool __wrap_web_pool_add(WebPool *pool, WebLane lane, WebJob job)
{
    if (!is_on)
        return __real_web_pool_add(pool, lane, job);
    if (count == WAITING_MAX || (lane != WEB_LANE_QUESTIONS && lane != WEB_LANE_PROOFS))
        return false;
    waiting[count++] = job;
    return true;
}

bool http_driver_work(void)
{
    if (count == 0)
        return false;
    WebJob job = waiting[0];
    memmove(waiting, waiting + 1, --count * sizeof waiting[0]);
    job.run(job.context);
    return true;
}

const atomic_bool *__wrap_web_stop(const WebCall *call)
{
    static const atomic_bool raised = true;
    return is_on ? &raised : __real_web_stop(call);
}

struct MHD_Daemon *__wrap_MHD_start_daemon(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback admit,
                                           void *admit_context, MHD_AccessHandlerCallback handle, void *handle_context,
                                           ...)
{
    va_list options;
    va_start(options, handle_context);
    struct MHD_Daemon *daemon = MHD_start_daemon_va(flags & ~(unsigned)MHD_USE_INTERNAL_POLLING_THREAD, port, admit,
                                                    admit_context, handle, handle_context, options);
    va_end(options);
    return daemon;
}
