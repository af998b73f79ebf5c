import type { TriggerFault } from "@/lib/graph/triggers/mailbox";
import type { ResourceContent, ResourceCursor } from "@/lib/graph/triggers/resource";
import type { TriggerOf } from "@/lib/graph/triggers/trigger";
import { computeCommitment } from "@/lib/hash";
import { log } from "@/server/log";
import type { ResourceOutcome, ResourceTarget } from "@/server/mcp/read-resource";
import type { McpService } from "@/server/mcp/service";
import type { RunnerDeps } from "@/server/runner/deps";
import { getStartTerms } from "@/server/runner/environments";
import { unlessUnproved } from "@/server/runner/identify";
import { generateBytes } from "@/server/security/fresh-bytes";
import { claimDue, hastenReading, RESOURCE, storeFound, type Due, type Found } from "@/server/store/triggers/positions";
import { digestResource } from "@/server/store/triggers/projection";
import { findInForce } from "./examine";

const CLAIM_MS = 180_000;
const REST_MS = 60_000;
const MOST_REST_MS = 3_600_000;
const SALT_BYTES = 32;

type DueResource = Due<ResourceCursor>;
type Asked = { readonly trigger: TriggerOf<"mcp_resource">; readonly target: ResourceTarget };

const prepare = async ({ authority, switches }: RunnerDeps, due: DueResource): Promise<Asked | TriggerFault | null> => {
  const { workspaceId: workspace } = due;
  const found = await findInForce({ authority }, due);
  if (found === null || typeof found === "string" || found.trigger?.kind !== "mcp_resource") return null;
  if (await switches.isStopped(workspace)) return "stopped";
  const { trigger, version } = found;
  const terms = await unlessUnproved(
    getStartTerms(authority, workspace, { environment: trigger.environment, hash: version.hash, model: trigger.model }),
  );
  if (typeof terms === "string") return null;
  const { id: environment, missingSecrets = [] } = terms.env;
  if (missingSecrets.length > 0) return "no_secret";
  const { server, uri } = trigger;
  const { tools, subgraphs } = version.published;
  const named = { workspace, server, uri, caller: "node", ...(environment === undefined ? {} : { environment }) };

  return { trigger, target: { ...named, tools: [...tools, ...subgraphs.flatMap((subgraph) => subgraph.tools)] } };
};

const saltPlace = ({ graphId, trigger }: DueResource): string => `trigger salt ${graphId} ${trigger}`;

const openSalt = ({ vault }: RunnerDeps, due: DueResource, sealed: string): string | null => {
  try {
    return String(vault.openCommand(due.workspaceId, saltPlace(due), Buffer.from(sealed, "base64")));
  } catch {
    return null;
  }
};

type Position = { readonly salt: string; readonly at: Omit<ResourceCursor, "salt"> };

/** The first content after a new position starts nothing. */
const openPosition = (deps: RunnerDeps, due: DueResource, of: string, atMs: number): Position => {
  const known = due.cursor?.of === of ? due.cursor.at : null;
  const salt = known && openSalt(deps, due, known.salt);
  if (known && salt !== null) return { salt, at: known };

  return {
    salt: generateBytes(SALT_BYTES).toString("hex"),
    at: { digest: null, sinceMs: atMs, count: 0, failures: 0, isSubscribed: false },
  };
};

type Next = Pick<Found<ResourceCursor>, "arrivals" | "fault" | "nextMs"> & { readonly at: Position["at"] };

const fail = ({ at }: Position, fault: TriggerFault, atMs: number): Next => ({
  at: { ...at, failures: at.failures + 1, isSubscribed: false },
  arrivals: [],
  fault,
  nextMs: atMs + Math.min(REST_MS * 2 ** at.failures, MOST_REST_MS),
});

type Read = { readonly content: ResourceContent; readonly isSubscribed: boolean };

const advance = ({ salt, at }: Position, { trigger }: Asked, { content, isSubscribed }: Read, atMs: number): Next => {
  const { server, uri, poll_seconds } = trigger;
  const digest = computeCommitment(salt, { server, uri, content });
  const isChange = at.digest !== null && at.digest !== digest;
  const count = at.count + (isChange ? 1 : 0);
  const eventId = `${at.sinceMs}.${count}.${digest.slice(0, 32)}`;

  return {
    at: { ...at, digest, count, failures: 0, isSubscribed },
    arrivals: isChange ? [{ eventId, content }] : [],
    fault: null,
    nextMs: atMs + poll_seconds * 1_000,
  };
};

const follow = (deps: RunnerDeps, due: DueResource, asked: Asked, answer: ResourceOutcome): Found<ResourceCursor> => {
  const atMs = deps.clock.now();
  const of = digestResource(asked.trigger);
  const position = openPosition(deps, due, of, atMs);
  const { at, ...next } = answer.ok ? advance(position, asked, answer, atMs) : fail(position, answer.fault, atMs);
  const salt = Buffer.from(deps.vault.sealCommand(due.workspaceId, saltPlace(due), position.salt)).toString("base64");

  return { ...next, cursor: { of, at: { ...at, salt } }, atMs };
};

type Resources = McpService["resources"];

const rest = ({ clock }: RunnerDeps, fault: TriggerFault | null, restMs: number): Found<ResourceCursor> => {
  const atMs = clock.now();

  return { cursor: null, arrivals: [], fault, atMs, nextMs: atMs + restMs };
};

const readOne = async (deps: RunnerDeps, read: Resources["read"], due: DueResource, signal: AbortSignal): Promise<boolean> => {
  const asked = await prepare(deps, due);
  if (asked === null || typeof asked === "string") return storeFound(deps, RESOURCE, due, rest(deps, asked, REST_MS));
  const answer = await read(asked.target, signal);

  // The next runner reads at once.
  return storeFound(deps, RESOURCE, due, !answer.ok && signal.aborted ? rest(deps, null, 0) : follow(deps, due, asked, answer));
};

/** Announced changes only make the next read come sooner. */
export const readResources = async (deps: RunnerDeps, { read, takeChanged }: Resources, signal: AbortSignal): Promise<number> => {
  for (const { workspace, server, uri } of takeChanged()) await hastenReading(workspace, digestResource({ server, uri }), deps.clock.now());
  const nowMs = deps.clock.now();
  const due = await claimDue(RESOURCE, nowMs, nowMs + CLAIM_MS);
  await Promise.all(
    due.map((one) =>
      readOne(deps, read, one, signal).catch((error: unknown) =>
        log().error({ trigger: one.trigger, err: error }, "a resource was not read"),
      ),
    ),
  );

  return due.length;
};
