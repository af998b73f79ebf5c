import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Client } from "@/bench/web/client";
import { API_PATH } from "@/lib/api/routes";
import { startedGraph } from "./graph";
import type { Ask } from "./open-loop";

const importedSchema = z.object({ id: z.string() });
const tokenSchema = z.object({ token: z.string() });

/** @returns the published graph */
export const publishStarted = async (builder: Client): Promise<string> => {
  const { id } = importedSchema.parse(await builder.mutate("graphs.import", { document: startedGraph() }));
  const published = z.object({ status: z.literal("published") }).safeParse(await builder.mutate("graphs.publish", { id, revision: 1 }));
  if (!published.success) throw new Error("the graph of the starts was not published");

  return id;
};

/** One token is answered 300 times a minute. */
export const createAccounts = async (admin: Client, graphId: string, count: number): Promise<readonly string[]> => {
  const tokens: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const wanted = {
      name: `Starter ${index}`,
      graphs: [graphId],
      scopes: ["runs:start"],
      expiresInDays: 1,
      limits: { runs: 10_000, sessions: 1, micro_usd: 50_000_000 },
    };
    tokens.push(tokenSchema.parse(await admin.mutate("connect.accounts.create", wanted)).token);
  }

  return tokens;
};

export const toStarts = (tokens: readonly string[], graphId: string, count: number): readonly Ask[] =>
  Array.from({ length: count }, (_, index) => ({
    path: `${API_PATH}/runs`,
    headers: {
      authorization: `Bearer ${tokens[index % tokens.length] ?? ""}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
      prefer: "respond-async",
    },
    body: JSON.stringify({ graphId, goal: "Note the order", inputs: { order: `order ${index}` }, model: "scripted:honest" }),
  }));
