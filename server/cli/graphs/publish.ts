/** Only asks: a program could otherwise confirm what it wrote. */
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { computeContentHash } from "@/lib/graph/file";
import { parseArguments } from "@/server/cli/arguments";
import type { CliCommand } from "@/server/cli/host";
import { formatJsonLine } from "@/server/cli/problem";
import { readWorkspaceGraph } from "./file";
import { demandGraph, openSource, SOURCE_OPTIONS, SourceConflict, type Draft, type FoundProblem, type GraphSource } from "./source";

type Standing =
  | { readonly status: "published"; readonly version: number }
  | { readonly status: "waiting"; readonly request: string }
  | {
      readonly status: "refused";
      readonly code: "draft_differs" | "declined" | "superseded" | "invalid_graph" | "draft_changed";
      readonly request?: string;
      readonly reason?: string | null;
      readonly problems?: readonly FoundProblem[];
    };

const EXIT_CODES = { published: 0, refused: 2, waiting: 3 } as const satisfies Record<Standing["status"], number>;

const ask = async (source: GraphSource, draft: Draft): Promise<Standing> => {
  try {
    const asked = await source.ask(draft);

    return asked.status === "requested"
      ? { status: "waiting", request: asked.id }
      : { status: "refused", code: "invalid_graph", problems: asked.problems };
  } catch (error) {
    if (!(error instanceof SourceConflict)) throw error;

    return { status: "refused", code: "draft_changed" };
  }
};

const publish = async (source: GraphSource, draft: Draft, isAgain: boolean): Promise<Standing> => {
  if (draft.version?.hash === draft.hash) return { status: "published", version: draft.version.number };
  const latest = (await source.listRequests(draft.id)).find(({ hash, revision }) => hash === draft.hash && revision === draft.revision);
  // Asking again would void the page a person reads.
  if (latest?.status === "open") return { status: "waiting", request: latest.id };
  if (latest?.status === "declined" && !isAgain) {
    return { status: "refused", code: "declined", request: latest.id, reason: latest.reason };
  }

  return ask(source, draft);
};

const LOOK_EVERY_MS = 3_000;

const awaitAnswer = async (source: GraphSource, { id, hash }: Draft, request: string): Promise<Standing> => {
  for (;;) {
    const found = (await source.listRequests(id)).find((each) => each.id === request);
    if (found?.status === "declined") return { status: "refused", code: "declined", request, reason: found.reason };
    if (found?.status === "superseded") return { status: "refused", code: "superseded", request };
    const { version } = await source.readDraft(id);
    if (found?.status === "approved" && version?.hash === hash) return { status: "published", version: version.number };
    if (found?.status === "approved") return { status: "refused", code: "superseded", request };
    await wait(LOOK_EVERY_MS);
  }
};

export const publishCommand: CliCommand = async (argv, host) => {
  const args = parseArguments(argv, "FILE", { ...SOURCE_OPTIONS, again: "boolean", wait: "boolean" });
  const file = path.resolve(host.cwd, args.operand);
  const { graph, hash } = await readWorkspaceGraph(file);
  const source = await openSource(args, host, "ask");
  const draft = await source.readDraft(await demandGraph(source, graph.id));
  const isSame = computeContentHash(draft.document) === hash;
  const asked: Standing = isSame ? await publish(source, draft, args.flag("again")) : { status: "refused", code: "draft_differs" };
  const standing = asked.status === "waiting" && args.flag("wait") ? await awaitAnswer(source, draft, asked.request) : asked;
  await host.out(formatJsonLine({ file, graph: draft.id, document_id: graph.id, revision: draft.revision, hash: draft.hash, ...standing }));

  return EXIT_CODES[standing.status];
};
