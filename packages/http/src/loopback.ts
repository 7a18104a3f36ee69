/** The whole of 127.0.0.0/8 (RFC 1122 §3.2.1.3), ::1 and the name for both (RFC 6761 §6.3). */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** Whether a URL's host, in the form of `URL.hostname`, is a loopback address. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}
