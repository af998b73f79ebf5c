import { z } from "zod";
import { arrivalSchema, getArrivalPlace } from "@/lib/graph/triggers/arrival";
import { getMailEventId, getMailKey, mailArrivalSchema, type MailEvent } from "@/lib/graph/triggers/mail";
import { mapEvent } from "@/lib/graph/triggers/mapping";
import { getNextTime } from "@/lib/graph/triggers/occurrence";
import { resourceArrivalSchema } from "@/lib/graph/triggers/resource";
import { startsIn } from "@/lib/graph/triggers/in-force";
import { isFromOutside, type Trigger, type TriggerOf } from "@/lib/graph/triggers/trigger";
import { getLast } from "@/lib/environments/environment";
import { listLive } from "@/lib/environments/environment-fold";
import { isTerminal } from "@/lib/engine/event";
import type { Principal, TriggerPrincipal } from "@/lib/engine/principal";
import type { BodyOf } from "@/lib/engine/proposal";
import type { Json } from "@/lib/json";
import { readJsonText } from "@/lib/json-text";
import type { RefusalCode } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import { deriveId } from "@/server/derived-id";
import { ENGINE } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import { getStartTerms } from "@/server/runner/environments";
import { loadRunAt, RunFrozen } from "@/server/runner/load";
import { unlessUnproved } from "@/server/runner/identify";
import { findVersion } from "@/server/runner/version";
import { MAX_JSON_DEPTH } from "@/server/security/request-guard";
import { listNumbers } from "@/server/store/graphs/live";
import type { ExecutedVersion } from "@/server/store/graphs/versions";
import { readSecret } from "@/server/store/ledger/secrets";
import { runHead } from "@/server/store/ledger/run-heads";
import { isLongChain, type StoredEvent, type TriggerPlace } from "@/server/store/triggers/events";
import { getEventId, verifySignature } from "./signature";

export type Ready = {
  readonly version: ExecutedVersion;
  readonly trigger: Trigger;
  readonly eventId: string;
  readonly runId: string;
  readonly principal: TriggerPrincipal;
  readonly body: BodyOf<"start">;
};

/** `eventId`: null unless proved. */
export type Refused = { readonly code: RefusalCode; readonly by: Principal; readonly eventId: string | null };

type Read = { readonly eventId: string; readonly payload: Json };

const readForm = (text: string): Json | null => {
  const fields = [...new URLSearchParams(text)];

  return new Set(fields.map(([name]) => name)).size === fields.length ? Object.fromEntries(fields) : null;
};

const MOST_TEXT = 1_048_576;

const readPayload = (trigger: TriggerOf<"webhook">, body: Buffer): { readonly value: Json } | null => {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return null;
  }
  const read = readJsonText(text, { maxBytes: MOST_TEXT, maxDepth: MAX_JSON_DEPTH });
  if (read.ok) return { value: read.value };
  const form = trigger.scheme === "slack" ? readForm(text) : null;

  return form === null ? null : { value: form };
};

type Failure = { readonly code: RefusalCode; readonly eventId: string | null };

const no = (code: RefusalCode, eventId: string | null = null): Result<never, Failure> => err({ code, eventId });

const openSealed = <T extends z.ZodType>({ vault }: RunnerDeps, { workspaceId, id, body }: StoredEvent, schema: T): z.infer<T> | null => {
  try {
    return schema.safeParse(vault.openCommand(workspaceId, getArrivalPlace(id), body)).data ?? null;
  } catch {
    return null;
  }
};

const readWebhook = async (deps: RunnerDeps, event: StoredEvent, trigger: TriggerOf<"webhook">): Promise<Result<Read, Failure>> => {
  const arrival = openSealed(deps, event, arrivalSchema);
  if (!arrival) return no("command_forged");
  if (arrival.body === null) return no("trigger_too_large");
  const secret = await readSecret(deps.vault, event.workspaceId, trigger.secret);
  if (secret === null) return no("trigger_unavailable");
  const signed = { secret, headers: arrival.headers, body: Buffer.from(arrival.body, "base64"), nowMs: event.receivedMs };
  const verified = verifySignature(trigger.scheme, signed);
  if (!verified.ok) return no(verified.error);
  const payload = readPayload(trigger, signed.body);
  const eventId = getEventId(trigger.scheme, verified.value, payload?.value, signed);

  return payload ? ok({ eventId, payload: payload.value }) : no("trigger_payload", eventId);
};

const CONTENT_FAULTS = { too_large: "trigger_too_large", unreadable: "trigger_payload" } as const;
const HOUR_MS = 3_600_000;

const isSigned = ({ dkim, dkim_domain: domain }: MailEvent, demanded: readonly string[]): boolean =>
  dkim === "pass" && (demanded.length === 0 || demanded.includes(domain));

const readArrivedMail = (deps: RunnerDeps, event: StoredEvent, trigger: TriggerOf<"email">): Result<Read, Failure> => {
  const arrival = openSealed(deps, event, mailArrivalSchema);
  if (!arrival) return no("command_forged");
  const { mail, arrivedMs } = arrival;
  const { signed_by: demanded } = trigger;
  // Only who may send can use an id up.
  if (typeof mail === "string") return no(CONTENT_FAULTS[mail], demanded ? null : getMailEventId(arrival));
  if (demanded && !isSigned(mail, demanded)) return no("trigger_signature");
  const eventId = getMailEventId(arrival);
  if (Math.abs(arrivedMs - Date.parse(mail.date)) > trigger.max_age_hours * HOUR_MS) return no("trigger_late", eventId);

  return ok({ eventId, payload: mail });
};

const readArrivedResource = (deps: RunnerDeps, event: StoredEvent, { uri }: TriggerOf<"mcp_resource">): Result<Read, Failure> => {
  const arrival = openSealed(deps, event, resourceArrivalSchema);
  if (!arrival) return no("command_forged");
  const { eventId, content } = arrival;

  return "fault" in content ? no(CONTENT_FAULTS[content.fault], eventId) : ok({ eventId, payload: { uri, ...content } });
};

const readSchedule = ({ eventId, receivedMs }: StoredEvent, trigger: TriggerOf<"schedule">): Result<Read, Failure> => {
  const atMs = Date.parse(eventId ?? "");
  if (eventId === null || atMs > receivedMs || getNextTime(trigger, atMs - 1) !== atMs) return no("trigger_unavailable", eventId);

  return ok({ eventId, payload: { at: eventId } });
};

const readEnd = async (
  deps: RunnerDeps,
  { workspaceId, eventId }: StoredEvent,
  trigger: TriggerOf<"run_end">,
): Promise<Result<Read, Failure>> => {
  const head = eventId !== null && z.uuid().safeParse(eventId).success ? await runHead(workspaceId, eventId) : null;
  if (eventId === null || !head) return no("trigger_unavailable", eventId);
  if (await isLongChain(workspaceId, eventId)) return no("trigger_chain", eventId);
  try {
    const place = { workspaceId, runId: head.id, version: head.version, digest: head.head };
    const { state, records } = await loadRunAt(deps.vault, await deps.publicKeys(), place, head.graphHash);
    const { status, start } = state;
    const isFollowed = isTerminal(status) && start?.graph_id === trigger.graph_id && trigger.statuses.some((one) => one === status);
    const at = new Date(records.at(-1)?.record.at ?? 0).toISOString();

    return isFollowed
      ? ok({ eventId, payload: { run: eventId, graph: trigger.graph_id, status, at } })
      : no("trigger_unavailable", eventId);
  } catch (error) {
    if (error instanceof RunFrozen) return no("run_frozen", eventId);
    throw error;
  }
};

const read = (deps: RunnerDeps, event: StoredEvent, trigger: Trigger): Promise<Result<Read, Failure>> | Result<Read, Failure> => {
  switch (trigger.kind) {
    case "webhook":
      return readWebhook(deps, event, trigger);
    case "email":
      return readArrivedMail(deps, event, trigger);
    case "mcp_resource":
      return readArrivedResource(deps, event, trigger);
    case "schedule":
      return readSchedule(event, trigger);
    case "run_end":
      return readEnd(deps, event, trigger);
    default:
      return trigger satisfies never;
  }
};

type InForce = { readonly version: ExecutedVersion; readonly trigger: Trigger | null };

export const findInForce = async (
  { authority }: Pick<RunnerDeps, "authority">,
  { workspaceId, graphId, trigger: name }: TriggerPlace,
  hash?: string,
): Promise<InForce | RefusalCode | null> => {
  const { environments: fold } = await authority.read(workspaceId);
  const hashes = hash === undefined ? (await listNumbers(workspaceId, graphId)).map((one) => one.hash) : [];
  const live = hash === undefined ? listLive(fold, hashes) : [{ environment: null, hash }];
  let first: ExecutedVersion | null = null;
  for (const { environment, hash: inForce } of live) {
    const version = await unlessUnproved(findVersion(authority, workspaceId, inForce));
    if (typeof version === "string") return version;
    const trigger = version?.published.graph.triggers?.find(({ id }) => id === name);
    if (version && trigger && (environment === null || startsIn(trigger, environment, getLast(fold.list)))) return { version, trigger };
    first ??= version;
  }

  return first && { version: first, trigger: null };
};

export const examine = async (deps: RunnerDeps, event: StoredEvent, hash?: string): Promise<Result<Ready, Refused>> => {
  const inForce = await findInForce(deps, event, hash);
  if (inForce === null || typeof inForce === "string") return err({ code: inForce ?? "trigger_unavailable", by: ENGINE, eventId: null });
  const { version } = inForce;
  const { graph } = version.published;
  const trigger = inForce.trigger?.kind === event.kind ? inForce.trigger : null;
  const principalOf = (eventId: string): TriggerPrincipal => ({
    type: "trigger",
    trigger: event.trigger,
    event: eventId,
    publisher: version.authorId,
    integrity: trigger && !isFromOutside(trigger) ? "trusted" : "untrusted",
  });
  const refuse = (code: RefusalCode, eventId: string | null) => err({ code, by: principalOf(eventId ?? event.id), eventId });
  if (!trigger) return refuse("trigger_unavailable", event.eventId);
  const found = await read(deps, event, trigger);
  if (!found.ok) return refuse(found.error.code, found.error.eventId);
  const { eventId, payload } = found.value;
  const inputs = mapEvent(trigger, payload);
  if (!inputs.ok) return refuse("trigger_payload", eventId);
  const wanted = { environment: trigger.environment, hash: version.hash, model: trigger.model };
  const terms = await unlessUnproved(getStartTerms(deps.authority, event.workspaceId, wanted));
  if (typeof terms === "string") return refuse(terms, eventId);

  return ok({
    version,
    trigger,
    eventId,
    runId: deriveId({
      workspace: event.workspaceId,
      graph: event.graphId,
      trigger: trigger.id,
      event: trigger.kind === "email" ? getMailKey(eventId) : eventId,
    }),
    principal: principalOf(eventId),
    body: {
      kind: "start",
      graph_hash: version.hash,
      goal: graph.description || graph.name,
      constraints: [],
      inputs: inputs.value,
      model: trigger.model,
      author: version.authorId,
      event: payload,
      ...terms,
    },
  });
};
