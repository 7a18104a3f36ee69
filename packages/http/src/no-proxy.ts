/**
 * Whether a host is asked through the proxy: not if `NO_PROXY` names it. That is a comma-separated list in which a host stands for
 * its subdomains too, with a port for this port only; `*` = all hosts.
 */
export function isProxied(noProxy: string, { protocol, hostname, port }: URL): boolean {
  return !noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((rule) => {
      const [, name = "", onlyPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(rule) ?? [];
      if (onlyPort !== undefined && onlyPort !== (port || (protocol === "http:" ? "80" : "443"))) return false;
      return rule === "*" || (name !== "" && (hostname === name || hostname.endsWith(`.${name}`)));
    });
}
