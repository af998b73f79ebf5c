/** This process answers; nothing else is looked at. Whether it can do anything for people is what /api/health says. */
export const dynamic = "force-dynamic";

export const GET = (): Response => Response.json({ web: "ok" }, { headers: { "Cache-Control": "no-store" } });
