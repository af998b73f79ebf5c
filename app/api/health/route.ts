import { healthOf } from "@/server/store/health";

/** 200 when web, runner and database work, else 503; the body says which does not. */
export const GET = async (): Promise<Response> => {
  const { database, runner } = await healthOf(process.uptime() * 1000);
  const status = database === "ok" && runner === "ok" ? 200 : 503;

  return Response.json({ web: "ok", runner, database }, { status, headers: { "Cache-Control": "no-store" } });
};
