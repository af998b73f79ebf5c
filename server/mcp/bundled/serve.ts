/** Serves demo servers; faults go to stderr. */
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { JsonObject } from "@/lib/json";
import { IDEMPOTENCY_KEY } from "@/lib/mcp/meta";
import type { Result } from "@/lib/result";

export const answer = (value: JsonObject, isError = false): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  structuredContent: value,
  isError,
});

/** @param faults a sentence per code */
export const answerOf = <F extends string>(result: Result<JsonObject, F>, faults: Readonly<Record<F, string>>): CallToolResult =>
  result.ok ? answer(result.value) : answer({ error: { code: result.error, message: faults[result.error] } }, true);

type CallContext = { readonly mcpReq: { readonly _meta?: Readonly<Record<string, unknown>> | undefined } };

// oxlint-disable-next-line eslint/no-underscore-dangle -- the protocol's own name
export const keyIn = (context: CallContext): unknown => context.mcpReq._meta?.[IDEMPOTENCY_KEY];

/** A server's unverified claims. */
export const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;
export const CHANGES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false } as const;

/** @param create serves from this folder */
export const serve = (name: string, create: (folder: string) => McpServer): void => {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error(`${name} needs a folder`);
  serveStdio(() => create(folder), {
    onerror: (error: Error) => {
      process.stderr.write(`${name}: ${error.name}\n`);
    },
  });
};
