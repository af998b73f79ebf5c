/** Answers programs, which read no page. */
export const respondUnknownPath = (): Response =>
  Response.json({ error: "not_found" }, { status: 404, headers: { "Cache-Control": "no-store" } });
