/** Runs in a tool host. */
import { ImapFlow } from "imapflow";
import { AppError } from "@/lib/errors";
import type { MailboxFault, MailCursor } from "@/lib/graph/triggers/mailbox";
import { MOST_MAIL_BYTES, type MailArrival } from "@/lib/graph/triggers/mail";
import { createCheckedLookup, resolveWithSystem } from "@/server/security/egress-connect";
import { canBeAt, checkUrl, type EgressPolicy } from "@/server/security/egress-url";
import { isWithin, type ResolveTxt } from "./dkim";
import { MOST_MAILS, type MailboxAnswer, type MailboxRequest } from "./mailbox-request";
import { readMail } from "./message";
import { createTxtResolver } from "./resolve-txt";

export type MailboxOptions = {
  readonly egress: EgressPolicy;
  readonly timeoutMs?: number;
  readonly ca?: string;
  readonly resolveTxt?: ResolveTxt;
  readonly now?: () => number;
};

const TIMEOUT_MS = 30_000;
const DAY_MS = 86_400_000;

const checkAddress = ({ server: { host, port, tls } }: MailboxRequest, egress: EgressPolicy): ((address: string) => boolean) | null => {
  const name = host.includes(":") ? `[${host}]` : host;
  const url = checkUrl(`${tls === "off" ? "http" : "https"}://${name}:${port}`, { ...egress, requireHttps: true });

  return url.ok ? canBeAt(url.value.origin, egress) : null;
};

const readCode = (error: Error, name: string): string => String(Reflect.get(error, name) ?? "");

const faultOf = (error: unknown): MailboxFault => {
  if (!(error instanceof Error)) return "unreachable";
  if (error instanceof AppError) return "blocked";
  const code = readCode(error, "code");
  if (readCode(error, "authenticationFailed") === "true") return "refused";
  if (readCode(error, "mailboxMissing") === "true") return "missing";
  if (/^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|EPROTO)/u.test(code) || /certificate|STARTTLS|TLS/u.test(error.message)) {
    return "insecure";
  }
  if (/timeout/iu.test(`${code} ${error.message}`) || code === "ETIMEDOUT") return "timeout";

  return readCode(error, "responseStatus") === "NO" ? "missing" : "unreachable";
};

const toSecond = (ms: number): number => Math.floor(ms / 1_000) * 1_000;

type Box = { readonly validity: string; readonly next: number };

const listNew = async (client: ImapFlow, cursor: MailCursor, { validity }: Box): Promise<readonly number[]> => {
  const isKnown = cursor.validity === validity;
  const query = isKnown ? { uid: `${cursor.uid + 1}:*` } : { since: new Date(cursor.sinceMs - DAY_MS) };
  const found = (await client.search(query, { uid: true })) || [];

  // A range that ends in * has the last message, however old.
  return found.filter((uid) => !isKnown || uid > cursor.uid).toSorted((one, other) => one - other);
};

type Fetched = { readonly raw: Buffer | null; readonly arrivedMs: number; readonly size: number };

const fetchMail = async (client: ImapFlow, uid: number): Promise<Fetched | null> => {
  const facts = await client.fetchOne(String(uid), { uid: true, size: true, internalDate: true }, { uid: true });
  if (!facts) return null;
  const arrivedMs = new Date(facts.internalDate ?? Number.NaN).getTime();
  const size = facts.size ?? MOST_MAIL_BYTES + 1;
  if (size > MOST_MAIL_BYTES) return { raw: null, arrivedMs, size };
  const full = await client.fetchOne(String(uid), { uid: true, source: { maxLength: MOST_MAIL_BYTES + 1 } }, { uid: true });

  return full && full.source ? { raw: full.source, arrivedMs, size } : null;
};

const fetchHead = async (client: ImapFlow, uid: number): Promise<Buffer> => {
  const found = await client.fetchOne(String(uid), { uid: true, source: { maxLength: 65_536 } }, { uid: true });

  return (found && found.source) || Buffer.from(String(uid));
};

type Reading = { readonly resolveTxt: ResolveTxt; readonly now: () => number; readonly slowMs: number };

const read = async (
  client: ImapFlow,
  { mailbox, cursor, domains }: MailboxRequest,
  { resolveTxt, now, slowMs }: Reading,
): Promise<MailboxAnswer> => {
  const nowMs = now();
  const lateMs = nowMs + slowMs;
  const opened = await client.mailboxOpen(mailbox, { readOnly: true });
  const box = { validity: String(opened.uidValidity), next: opened.uidNext };
  if (cursor === null) {
    return {
      ok: true,
      cursor: { validity: box.validity, uid: box.next - 1, sinceMs: toSecond(nowMs), renumbered: 0 },
      mails: [],
      hasMore: false,
      fault: null,
    };
  }
  const uids = await listNew(client, cursor, box);
  const isKnown = cursor.validity === box.validity;
  const begun: MailCursor = isKnown ? cursor : { ...cursor, validity: box.validity, uid: 0, renumbered: uids.at(-1) ?? 0 };
  const mails: MailArrival[] = [];
  let { uid } = begun;
  for (const next of uids.slice(0, MOST_MAILS)) {
    // Slow DNS of senders must not keep the position back.
    if (uid > begun.uid && now() > lateMs) break;
    const fetched = await fetchMail(client, next);
    if (fetched && (next > begun.renumbered || !(fetched.arrivedMs < begun.sinceMs))) {
      const { raw, arrivedMs } = fetched;
      const found = await readMail(raw ?? (await fetchHead(client, next)), resolveTxt, nowMs);
      const { unknown } = found;
      const isAwaited = unknown !== null && domains.some((domain) => isWithin(unknown, domain));
      if (isAwaited) return { ok: true, cursor: { ...begun, uid }, mails, hasMore: false, fault: "unresolved" };
      const { key, mail } = found;
      mails.push({ key, place: `${box.validity}.${next}`, arrivedMs, mail: raw === null ? "too_large" : mail });
    }
    uid = next;
  }

  const hasMore = uid < (uids.at(-1) ?? 0);
  const sinceMs = hasMore ? begun.sinceMs : Math.max(begun.sinceMs, nowMs - 2 * DAY_MS);

  return { ok: true, cursor: { ...begun, uid, sinceMs }, mails, hasMore, fault: null };
};

export const readMailbox = async (request: MailboxRequest, options: MailboxOptions): Promise<MailboxAnswer> => {
  const { egress, timeoutMs = TIMEOUT_MS, ca, resolveTxt = createTxtResolver(), now = () => Date.now() } = options;
  const mayReach = checkAddress(request, egress);
  if (!mayReach) return { ok: false, fault: request.server.tls === "off" ? "insecure" : "blocked" };
  const { host, port, tls, user, password } = request.server;
  const client = new ImapFlow({
    host,
    port,
    secure: tls === "implicit",
    doSTARTTLS: tls === "starttls",
    auth: { user: user ?? "", pass: password ?? "" },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    tls: { lookup: createCheckedLookup(resolveWithSystem, mayReach), ...(ca === undefined ? {} : { ca }) },
  });
  let failure: unknown = null;
  client.on("error", (error: unknown) => {
    failure ??= error;
  });
  const late = setTimeout(() => {
    failure ??= new Error("timeout");
    client.close();
  }, timeoutMs * 2);
  try {
    await client.connect();
    const answer = await read(client, request, { resolveTxt, now, slowMs: timeoutMs });
    await client.logout();

    return answer;
  } catch (error) {
    return { ok: false, fault: faultOf(failure ?? error) };
  } finally {
    clearTimeout(late);
    client.close();
  }
};
