import type { Sample } from "@/bench/chaos/runners";
import type { Check, End } from "@/bench/chaos/oracle/end";

const MB = 1_048_576;
/** Fewer show no trend. */
const FEWEST_SAMPLES = 20;
/** For caches, pools and compiled code. */
const WARM_UP = 1 / 3;
/** Runs in flight fall, so leaking one in some hundreds shows. RSS follows the allocator, which returns memory late. */
const MOST_RISE = { heap: { bytes: 24 * MB, share: 0.25 }, rss: { bytes: 64 * MB, share: 0.3 } } as const;
const TAKEOVER_MS = 30_000;
/** A polling runner has one or two. */
const CONNECTIONS_EACH = 3;

/** Least squares: first and last value. */
export const fitted = (
  points: readonly { readonly x: number; readonly y: number }[],
): { readonly first: number; readonly last: number } => {
  const n = points.length;
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / n;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / n;
  const over = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  const slope = over === 0 ? 0 : points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / over;
  const at = (x: number): number => meanY + slope * (x - meanX);

  return { first: at(points[0]?.x ?? 0), last: at(points.at(-1)?.x ?? 0) };
};

const mb = (bytes: number): string => `${Math.round(bytes / MB)} MB`;

const rise = (samples: readonly Sample[], what: "heap" | "rss"): { readonly text: string; readonly isTooMuch: boolean } => {
  const { first, last } = fitted(samples.map((sample) => ({ x: sample.at, y: sample[what] })));
  const { bytes, share } = MOST_RISE[what];

  return { text: `${what} ${mb(first)} to ${mb(last)}`, isTooMuch: last - first > Math.max(bytes, first * share) };
};

export const checkMemory = ({ memory }: End): Check => {
  const [from, to] = [memory[0]?.at ?? 0, memory.at(-1)?.at ?? 0];
  const warm = memory.filter(({ at }) => at >= from + (to - from) * WARM_UP);
  const base = { name: "memory", count: warm.length };
  if (warm.length < FEWEST_SAMPLES) return { ...base, says: "too short to tell", failures: [] };
  const [heap, rss] = [rise(warm, "heap"), rise(warm, "rss")];

  return {
    ...base,
    says: `flat in the runner that lives through it, by a fitted line after the warm-up: ${heap.text}, ${rss.text}`,
    failures: [heap, rss].flatMap(({ text, isTooMuch }) => (isTooMuch ? [`it grows: ${text}`] : [])),
  };
};

export const checkConnections = ({ connections: { base, end, runners } }: End): Check => {
  const most = base + runners * CONNECTIONS_EACH;

  return {
    name: "connections",
    count: end,
    says: `back to what they were before the first run (${base}), or ${CONNECTIONS_EACH} more for each runner`,
    failures: end > most ? [`${end} connections are open, ${most} may be`] : [],
  };
};

const EXPECTED: readonly RegExp[] = [
  /terminating connection|Connection terminated|connection was closed|server (?:has )?closed the connection|lost its connection|cut off by the database|is cut off; until it is back|SocketClosed|ConnectionClosed/iu,
  /ECONNREFUSED|ECONNRESET|EPIPE|socket hang up|connect ETIMEDOUT|Can't reach database server/iu,
  /the database system is (?:starting up|shutting down|in recovery mode|not yet accepting connections)/iu,
  /No space left on device|could not (?:extend|write|create|open) file|DiskFull|53100|recovery is not in progress|PANIC/iu,
  // On a full disk Postgres reports its temporary folder as missing.
  /could not create temporary file "base\/pgsql_tmp\/[^"]+": No such file or directory/u,
  /timeout exceeded when trying to connect|connection timeout|Timed out fetching|Unable to start a transaction|Transaction (?:already closed|API error|not found)/iu,
  /for a moment|given up for now|goes on later|an idle database connection was closed|a live update was not sent/iu,
  // A killed or stopped worker or tool host.
  /^a process broke off and is replaced|^a message was not sent because its tool host ended|^an MCP server is not reached$/u,
  // Only in an empty state folder: a journal that is gone is refused.
  /^a journal begins/u,
  /57P0[123]|08P01|08006|08003|Client was closed|Client has encountered a connection error|Connection ended unexpectedly/iu,
];

const isExpected = (text: string): boolean => EXPECTED.some((pattern) => pattern.test(text));

const WARNING = 40;

export const checkLog = ({ log }: End): Check => {
  const loud = log.filter(({ level }) => level >= WARNING);
  const strange = loud.filter(({ text }) => !isExpected(text));
  const kinds = Map.groupBy(strange, ({ text }) => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/gu, "#").slice(0, 400));

  return {
    name: "log",
    count: loud.length,
    says: "every warning and error of a runner is one that the faults explain",
    failures: [...kinds].map(([text, lines]) => `${lines.length} x ${text}`),
  };
};

export const checkDeaths = ({ deaths, drains }: End): Check => ({
  name: "processes",
  count: deaths.length + drains.length,
  says: "no runner that was ready ends by itself, and one that is told to stop does so in time",
  failures: [
    ...deaths.filter(({ wasReady }) => wasReady).map(({ place, how }) => `runner ${place} ended by itself: ${how}`),
    ...drains.flatMap((tookMs) => (tookMs === null ? ["a runner that was told to stop had to be killed"] : [])),
  ],
});

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

export const checkTakeover = ({ takeovers }: End): Check => {
  const bitten = takeovers.filter(({ orphans }) => orphans > 0);
  const firsts = bitten.flatMap(({ firstMs }) => (firstMs === null ? [] : [firstMs]));

  return {
    name: "takeover",
    count: bitten.length,
    says: `after each kill and pause another runner commits for its runs within ${seconds(TAKEOVER_MS)}${firsts.length === 0 ? "" : `; slowest ${seconds(Math.max(...firsts))}`}`,
    failures: bitten.flatMap(({ fault, orphans, firstMs, stuck }) => {
      if (firstMs !== null && firstMs <= TAKEOVER_MS) return [];

      return [
        `after a ${fault} none of ${orphans} runs went on ${firstMs === null ? "at all" : `before ${seconds(firstMs)}`}: ${stuck.join("; ")}`,
      ];
    }),
  };
};

type Kind = End["planned"][number];

/** Faults never injected are in no list. */
const missed = ({ kind, times: planned }: Kind, { faults, undone, full }: End): string[] => {
  const { times = 0, hits = 0 } = faults.find((fault) => fault.kind === kind) ?? {};
  const why = undone.filter((fault) => fault.kind === kind).map((fault) => fault.why);
  if (times === 0) return [`${kind} was planned ${planned} times and never done${why.length === 0 ? "" : `: ${why.join("; ")}`}`];

  return full && hits === 0 ? [`${kind} was done ${times} times and hit nothing`] : [];
};

export const checkFaults = (end: End): Check => {
  const { planned, skipped, faults } = end;
  const notTried = Object.entries(skipped).map(([kind, why]) => `; ${kind} skipped: ${why}`);

  return {
    name: "faults",
    count: faults.reduce((sum, { times }) => sum + times, 0),
    says: `every kind of fault that was planned was done${end.full ? ", and hit work under way" : ""}${notTried.join("")}`,
    failures: [
      ...(faults.length === 0 ? ["no fault was done at all"] : []),
      ...planned.filter(({ kind }) => !Object.hasOwn(skipped, kind)).flatMap((kind) => missed(kind, end)),
    ],
  };
};
