/* clock.c - wall time for the row stamps.
 *
 * The GR8 gives us a pulse at the top of every second and, a little later, a
 * NAV-TIME message that says which second it was. Between pulses we count
 * ticks of the 32.768 kHz crystal.
 */
#include "clock.h"
#include "gnss.h"
#include "log.h"

#define TICKS_PER_SECOND 32768u
#define STEP_LIMIT_MS    250     /* smaller differences are slewed, larger ones stepped */

static uint32_t base_utc;        /* unix seconds at the last pulse */
static uint16_t base_tick;
static bool     have_time;

/* Called from the pulse interrupt. */
void clock_on_pulse(uint16_t tick)
{
    base_tick = tick;
    if (have_time)
        base_utc++;
}

/* Called for each NAV-TIME message, 50 to 120 ms after its pulse. */
void clock_on_navtime(const struct nav_time *nt)
{
    uint32_t utc;
    int32_t  diff;

    if (nt->fix < 3)
        return;

    /* week and tow are GPS time; utcofs is what the receiver believes the
     * difference to UTC to be, in whole seconds. */
    utc = GPS_EPOCH_UNIX + nt->week * 604800u + nt->tow - nt->utcofs;

    if (!have_time) {
        base_utc = utc;
        have_time = true;
        log_debug("clock: set from gnss %s (utcofs=%d src=%s)",
                  fmt_time(utc), nt->utcofs,
                  (nt->valid & NAV_VALID_UTC) ? "nav" : "default");
        return;
    }

    diff = (int32_t)(utc - base_utc);
    if (diff == 0)
        return;
    log_debug("clock: step %+d.000 s", (int)diff);
    base_utc = utc;
}

/* Time of the start of the current integration. */
bool clock_stamp(struct stamp *out)
{
    if (!have_time)
        return false;
    out->utc = base_utc;
    out->sub = (uint16_t)(tick_now() - base_tick) * 1000u / TICKS_PER_SECOND;
    return true;
}
