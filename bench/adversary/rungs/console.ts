import { randomUUID } from "node:crypto";
import { askPlace, type ConsoleAsk } from "@/lib/mcp/console";
import type { SessionKey } from "@/server/security/session-key";
import { openTestSession } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";
import { TILL } from "./graphs";
import { sealAsk } from "./schema";
import type { World } from "./world";

type Asking = { readonly session: SessionKey; readonly sql: World["sql"] };

const askHonestly = async ({ urls }: World["desk"], user: string): Promise<Asking> => ({
  session: await openTestSession(urls.admin, user),
  sql: (text, values) => queryOn(urls.admin, text, values),
});

/** @param asking session and rights @returns the call's id */
export const tryPayment = async ({ desk }: Pick<World, "desk">, user: string, asking?: Asking): Promise<string> => {
  const { session, sql } = asking ?? (await askHonestly(desk, user));
  const { workspace } = desk;
  const id = randomUUID();
  const [tool] = await queryOn<{ seen_digest: string }>(
    desk.urls.admin,
    "select seen_digest from mcp_tool where workspace_id = $1 and server_id = $2 and name = $3",
    [workspace, TILL.server, TILL.pays],
  );
  const body = {
    id: TILL.server,
    tool: TILL.pays,
    definition_digest: tool?.seen_digest ?? "",
    arguments: { text: "tried out" },
    typed: TILL.pays,
  } satisfies ConsoleAsk;
  await sql("insert into console_call (workspace_id, id, user_id, server_id, tool, body) values ($1, $2, $3, $4, $5, $6)", [
    workspace,
    id,
    user,
    TILL.server,
    TILL.pays,
    sealAsk(desk, { id: user, session }, askPlace(id), body),
  ]);
  await sql("select pg_notify('countersign_console', '')");

  return id;
};
