/* gnss.c - talks to the GR8: frames in, NAV-TIME out, a few lines for the log. */
#include "gnss.h"
#include "clock.h"
#include "log.h"
#include "uart.h"

#define SYNC_1       0xB5
#define SYNC_2       0x62
#define ID_NAV_TIME  0x21
#define ID_MON_ALM   0x33
#define MAX_PAYLOAD  64

enum state { WAIT_1, WAIT_2, HEAD, PAYLOAD, CHECK_A, CHECK_B };

static struct {
    enum state st;
    uint8_t    id, len, got;
    uint8_t    a, b;              /* running checksum, Fletcher style */
    uint8_t    buf[MAX_PAYLOAD];
} rx;

static uint8_t  last_fix;
static bool     backup_lost_reported;

static void checksum(uint8_t byte)
{
    rx.a += byte;
    rx.b += rx.a;
}

static void on_nav_time(const uint8_t *p)
{
    struct nav_time nt;

    nt.tow    = get_u32(p);
    nt.week   = get_u16(p + 4);
    nt.utcofs = (int8_t)p[6];
    nt.valid  = p[7];
    nt.fix    = p[8];
    nt.sats   = p[9];
    nt.pdop   = get_u16(p + 10);

    if (nt.fix == 3 && last_fix != 3)
        log_debug("gnss: fix 3D sats=%u pdop=%u.%u", nt.sats, nt.pdop / 10, nt.pdop % 10);
    last_fix = nt.fix;

    clock_on_navtime(&nt);
}

static void on_almanac(const uint8_t *p)
{
    /* One message per subframe. Page 18 of subframe 4 is the one with the
     * leap seconds; we only look at whether it came through. */
    if (p[0] == 4 && p[1] == 18 && p[2] != 0)
        log_debug("gnss: subframe 4 page 18 parity error");
}

static void dispatch(void)
{
    switch (rx.id) {
    case ID_NAV_TIME: on_nav_time(rx.buf); break;
    case ID_MON_ALM:  on_almanac(rx.buf);  break;
    default:          break;               /* everything else is noise to us */
    }
}

void gnss_poll(void)
{
    int c;

    while ((c = uart_getc(UART_GNSS)) >= 0) {
        uint8_t byte = (uint8_t)c;

        switch (rx.st) {
        case WAIT_1:
            if (byte == SYNC_1)
                rx.st = WAIT_2;
            break;
        case WAIT_2:
            rx.st = byte == SYNC_2 ? HEAD : WAIT_1;
            rx.a = rx.b = rx.got = 0;
            break;
        case HEAD:
            checksum(byte);
            if (rx.got++ == 0) {
                rx.id = byte;
            } else {
                rx.len = byte;
                rx.got = 0;
                rx.st = byte <= MAX_PAYLOAD ? PAYLOAD : WAIT_1;
            }
            break;
        case PAYLOAD:
            checksum(byte);
            rx.buf[rx.got++] = byte;
            if (rx.got == rx.len)
                rx.st = CHECK_A;
            break;
        case CHECK_A:
            rx.st = byte == rx.a ? CHECK_B : WAIT_1;
            break;
        case CHECK_B:
            if (byte == rx.b)
                dispatch();
            rx.st = WAIT_1;
            break;
        }
    }
}

void gnss_start(void)
{
    log_debug("gnss: GR8 serial %s fw %s", gnss_serial(), gnss_firmware());
    if (vbckp_mv() < 1800 && !backup_lost_reported) {
        /* TODO: this deserves more than a debug line. A dead cell means a cold
         * start, and a cold start means no UTC for a while. Ask M. where it
         * should show up. */
        log_debug("gnss: backup domain lost, cold start (vbckp=%u.%02uV)",
                  vbckp_mv() / 1000, vbckp_mv() % 1000 / 10);
        backup_lost_reported = true;
    }
}
