import { setTimeout as wait } from "node:timers/promises";
import { hexDigestSchema } from "@/lib/hash";
import { parseArguments } from "@/server/cli/arguments";
import { CliFailure, type CliCommand } from "@/server/cli/host";
import { formatJsonLine } from "@/server/cli/problem";
import { demandGraph, openSource, readVersionOption, SOURCE_OPTIONS, type GraphSource, type Wanted } from "./source";

type Standing =
  | { readonly status: "promoted" }
  | { readonly status: "waiting"; readonly request: string }
  | { readonly status: "refused"; readonly code: "declined" | "superseded"; readonly request: string };

const EXIT_CODES = { promoted: 0, refused: 2, waiting: 3 } as const satisfies Record<Standing["status"], number>;

type Target = { readonly graph: string; readonly wanted: Wanted };

const findTarget = async (source: GraphSource, name: string, environment: string, version: number | "newest" | null): Promise<Target> => {
  const graph = await demandGraph(source, name);
  const places = await source.listPlaces(graph);
  const index = places.findIndex(({ id }) => id === environment);
  if (index < 0) throw new CliFailure(`environment ${environment} not found (${places.map(({ id }) => id).join(", ")})`);
  const found = version === null ? places[index - 1]?.version : await source.readVersion(graph, version === "newest" ? null : version);
  if (!found) throw new CliFailure(`no version is live in the environment before ${environment}: choose one with --version`);
  const base = places[index]?.version?.hash ?? null;

  return {
    graph,
    wanted: { environment, hash: hexDigestSchema.parse(found.hash), base: base === null ? null : hexDigestSchema.parse(base) },
  };
};

const findOwn = async (source: GraphSource, { graph, wanted }: Target, request?: string) =>
  (await source.listPromotions(graph)).find(
    ({ id, environment, hash }) => environment === wanted.environment && hash === wanted.hash && (request === undefined || id === request),
  );

const ask = async (source: GraphSource, target: Target, isAgain: boolean): Promise<Standing> => {
  if (target.wanted.base === target.wanted.hash) return { status: "promoted" };
  const latest = await findOwn(source, target);
  if (latest?.status === "open") return { status: "waiting", request: latest.id };
  if (latest?.status === "declined" && !isAgain) return { status: "refused", code: "declined", request: latest.id };

  return { status: "waiting", request: await source.askToPromote(target.graph, target.wanted) };
};

const LOOK_EVERY_MS = 3_000;

const awaitAnswer = async (source: GraphSource, target: Target, request: string): Promise<Standing> => {
  for (;;) {
    const found = await findOwn(source, target, request);
    if (found?.status === "approved") return { status: "promoted" };
    if (found?.status !== "open") return { status: "refused", code: found?.status ?? "superseded", request };
    await wait(LOOK_EVERY_MS);
  }
};

export const promoteCommand: CliCommand = async (argv, host) => {
  const args = parseArguments(argv, "GRAPH", { ...SOURCE_OPTIONS, to: "string", version: "string", again: "boolean", wait: "boolean" });
  const environment = args.text("to");
  if (environment === null) throw new CliFailure("--to ENVIRONMENT is needed");
  const version = readVersionOption(args.text("version"));
  const source = await openSource(args, host, "ask");
  const target = await findTarget(source, args.operand, environment, version);
  const asked = await ask(source, target, args.flag("again"));
  const standing = asked.status === "waiting" && args.flag("wait") ? await awaitAnswer(source, target, asked.request) : asked;
  await host.out(formatJsonLine({ graph: target.graph, environment, hash: target.wanted.hash, ...standing }));

  return EXIT_CODES[standing.status];
};
