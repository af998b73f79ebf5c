/** Liveness only; /api/health reports readiness. */
export const dynamic = "force-dynamic";

export const GET = (): Response => Response.json({ web: "ok" }, { headers: { "Cache-Control": "no-store" } });
