import { z } from "zod";
import { runStatusSchema } from "@/lib/engine/event";
import { forkEffectsSchema } from "@/lib/engine/forks/fork-change";
import { parseArguments, type Arguments } from "@/server/cli/arguments";
import { demandGraph } from "@/server/cli/graphs/source";
import { openRemoteSource } from "@/server/cli/graphs/remote-source";
import { CliFailure, type CliHost } from "@/server/cli/host";
import { createActions } from "./actions";
import { demandRemote, REMOTE_OPTIONS } from "./client";

const parseOption = <T>(name: string, schema: z.ZodType<T>, text: string): T => {
  const parsed = schema.safeParse(text);
  if (!parsed.success) throw new CliFailure(`--${name}: ${parsed.error.issues[0]?.message ?? "invalid"}`);

  return parsed.data;
};

const countSchema = z.coerce.number().int().min(0);

const list = async (argv: readonly string[], host: CliHost): Promise<unknown> => {
  const args = parseArguments(argv, null, { ...REMOTE_OPTIONS, status: "string", graph: "string", limit: "string" });
  const [status, graph, limit] = ["status", "graph", "limit"].map(args.text);
  const filter = {
    ...(status ? { status: parseOption("status", runStatusSchema, status) } : {}),
    limit: limit ? parseOption("limit", countSchema.min(1).max(100), limit) : 50,
  };
  const remote = demandRemote(args, host);
  const graphId = graph ? { graphId: await demandGraph(openRemoteSource(remote), graph) } : {};

  return (await remote.call("listRuns", { ...filter, ...graphId })).items;
};

const parseRun = (argv: readonly string[], options: Readonly<Record<string, "string">> = {}): Arguments =>
  parseArguments(argv, "RUN", { ...REMOTE_OPTIONS, ...options });

export const runsCommand = createActions({
  list,
  show: async (argv, host) => {
    const args = parseRun(argv);

    return demandRemote(args, host).call("getRun", { runId: args.operand });
  },
  cancel: async (argv, host) => {
    const args = parseRun(argv, { reason: "string" });
    const reason = args.text("reason");

    return demandRemote(args, host).call("cancelRun", { runId: args.operand, ...(reason === null ? {} : { reason }) });
  },
  fork: async (argv, host) => {
    const args = parseRun(argv, { seq: "string", effects: "string" });
    const seq = parseOption("seq", countSchema, args.text("seq") ?? "");
    const effects = parseOption("effects", forkEffectsSchema, args.text("effects") ?? "simulate");

    return demandRemote(args, host).call("forkRun", { runId: args.operand, seq, effects });
  },
});
