/** Other variables stay in the process that starts the rest. */
const ordinary = /^(?:PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|LOG_LEVEL|NODE_EXTRA_CA_CERTS|OTEL_\w+)$/u;

/**
 * @param own what else the child reads
 * @returns no empty variables: not every library takes empty as "not set"
 */
export const pickEnv = (own: RegExp): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name, value]) => value !== "" && (ordinary.test(name) || own.test(name))));
