import type { Resource } from "@modelcontextprotocol/server";
import { toCanonicalJson, type Json } from "@/lib/json";
import { toGraphResource } from "@/lib/outside/graph-json";
import { toMermaid } from "@/lib/outside/mermaid";
import { listLegalActions } from "@/lib/outside/legal";
import { stateOf, type Standing } from "./answer";
import { allows, deny, runOf, toSession } from "./place";
import { toPlain, listSessionHistory } from "./reports";
import type { Call } from "./tool";

const PREFIXES = ["countersign://", "theodosia://"] as const;

type Read = { readonly mimeType: string; readonly text: string };
type Kind = {
  readonly path: string;
  readonly title: string;
  readonly mimeType: string;
  readonly read: (standing: Standing) => Promise<Json> | Json;
};

const JSON_TYPE = "application/json";

const publishedOf = ({ caller, opened }: Standing) => opened?.published ?? caller.graph.published;

/** Digests only, since records may name hidden values. */
const ledgerOf = ({ opened }: Standing): Json =>
  (opened?.entries ?? []).map(({ signed: { record, digest, kid, signature } }) => ({
    seq: record.seq,
    at: record.at,
    run: record.run,
    kind: record.kind,
    proposal_kind: record.proposal_kind,
    refusal: record.refusal?.code ?? null,
    parent: record.parent,
    digest,
    kid,
    signature,
  }));

const sessionInfo = ({ caller, session, opened }: Standing): Json => ({
  session: session?.id ?? null,
  project: publishedOf({ caller, session, opened }).graph.id,
  partition_key: caller.workspaceId,
  app_id: opened?.runId ?? null,
  sequence_id: opened ? opened.state.version - 1 : null,
  current_action: opened?.state.currentNode ?? null,
  persisted: opened !== null,
  expires_at: session?.expiresAt ?? null,
  runs: (session?.runs ?? []).map(({ runId, cause }) => ({ app_id: runId, cause })),
});

const KINDS: readonly Kind[] = [
  { path: "graph", title: "The graph", mimeType: JSON_TYPE, read: (at) => toPlain(toGraphResource(publishedOf(at))) },
  { path: "graph/mermaid", title: "The graph as a diagram", mimeType: "text/plain", read: (at) => toMermaid(publishedOf(at).graph) },
  { path: "state", title: "The state", mimeType: JSON_TYPE, read: stateOf },
  {
    path: "next",
    title: "Legal actions",
    mimeType: JSON_TYPE,
    read: (at) => (at.opened ? [...listLegalActions(at.opened.published, at.opened.state)] : [publishedOf(at).graph.start_node]),
  },
  { path: "history", title: "The history", mimeType: JSON_TYPE, read: listSessionHistory },
  { path: "ledger", title: "The chain of the ledger", mimeType: JSON_TYPE, read: ledgerOf },
  { path: "session", title: "The session", mimeType: JSON_TYPE, read: sessionInfo },
];

export const RESOURCES: readonly Resource[] = PREFIXES.flatMap((prefix) =>
  KINDS.map(({ path, title, mimeType }) => ({ uri: `${prefix}${path}`, name: path, title, mimeType })),
);

const kindAt = (uri: string): Kind | undefined => {
  const prefix = PREFIXES.find((candidate) => uri.startsWith(candidate));

  return prefix === undefined ? undefined : KINDS.find(({ path }) => path === uri.slice(prefix.length));
};

/** Reads a resource; a foreign session gives null and a record. */
export const readResource = async ({ caller }: Call, uri: string, handle: string | null): Promise<Read | null> => {
  const session = await toSession(caller, handle);
  if (session === undefined) return null;
  const kind = kindAt(uri);
  if (!kind || !allows(caller, "run.read")) {
    await deny(caller, session, kind ? "run" : "resource");

    return null;
  }
  const value = await kind.read({ caller, session, opened: await runOf(caller, session) });

  return { mimeType: kind.mimeType, text: typeof value === "string" ? value : toCanonicalJson(value) };
};
