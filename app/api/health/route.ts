import { ERRORS } from "@/lib/errors";
import { getHealth } from "@/server/store/health";

/** Returns 200 when web, runner and database work, else 503 with the failing one. */
export const GET = async (): Promise<Response> => {
  const { database, runner } = await getHealth(process.uptime() * 1000);
  const status = database === "ok" && runner === "ok" ? 200 : 503;

  const said = database === "down" ? { message: ERRORS.database_unreachable.message } : {};

  return Response.json({ web: "ok", runner, database, ...said }, { status, headers: { "Cache-Control": "no-store" } });
};
