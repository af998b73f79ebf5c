import type { MailCursor, TriggerFault } from "@/lib/graph/triggers/mailbox";
import type { TriggerOf } from "@/lib/graph/triggers/trigger";
import { log } from "@/server/log";
import type { MailboxAnswer, ReadMailbox } from "@/server/mail/mailbox-request";
import type { RunnerDeps } from "@/server/runner/deps";
import { readSecret } from "@/server/store/ledger/secrets";
import { claimDue, MAILBOX, storeFound, type Due } from "@/server/store/triggers/positions";
import { digestMailbox } from "@/server/store/triggers/projection";
import { findInForce } from "./examine";

const CLAIM_MS = 180_000;
const POLL_MS = 30_000;
const REST_MS = 60_000;

type DueMailbox = Due<MailCursor>;

type Asked = { readonly trigger: TriggerOf<"email">; readonly password: string };

const prepare = async (deps: RunnerDeps, due: DueMailbox): Promise<Asked | TriggerFault | null> => {
  const found = await findInForce(deps, due);
  if (found === null || typeof found === "string" || found.trigger?.kind !== "email") return null;
  const password = await readSecret(deps.vault, due.workspaceId, found.trigger.secret);

  return password === null ? "no_secret" : { trigger: found.trigger, password };
};

const ask = (read: ReadMailbox, { workspaceId, cursor }: DueMailbox, { trigger, password }: Asked): Promise<MailboxAnswer> => {
  const { host, port, tls, user, mailbox, signed_by: domains = [] } = trigger;
  const isSame = cursor?.of === digestMailbox(trigger);

  return read(workspaceId, { server: { host, port, tls, user, password }, mailbox, cursor: isSame ? cursor.at : null, domains });
};

const readOne = async (deps: RunnerDeps, read: ReadMailbox, due: DueMailbox): Promise<void> => {
  const asked = await prepare(deps, due);
  const answer = asked === null || typeof asked === "string" ? asked : await ask(read, due, asked);
  const atMs = deps.clock.now();
  const found =
    typeof answer === "object" && answer?.ok === true && typeof asked === "object" && asked !== null
      ? {
          cursor: { of: digestMailbox(asked.trigger), at: answer.cursor },
          arrivals: answer.mails,
          fault: answer.fault,
          nextMs: atMs + POLL_MS,
        }
      : { cursor: null, arrivals: [], fault: typeof answer === "object" && answer ? answer.fault : answer, nextMs: atMs + REST_MS };
  await storeFound(deps, MAILBOX, due, { ...found, atMs });
};

export const readMailboxes = async (deps: RunnerDeps, read: ReadMailbox): Promise<number> => {
  const nowMs = deps.clock.now();
  const due = await claimDue(MAILBOX, nowMs, nowMs + CLAIM_MS);
  await Promise.all(
    due.map((one) =>
      readOne(deps, read, one).catch((error: unknown) => log().error({ trigger: one.trigger, err: error }, "a mailbox was not read")),
    ),
  );

  return due.length;
};
