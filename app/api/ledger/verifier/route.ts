import { buildOfflineVerifier } from "@/server/web/offline-verifier";

/** Serves the offline verifier. */
export const GET = async (): Promise<Response> => {
  const file = await buildOfflineVerifier();
  if (!file) return Response.json({ error: { code: "not_found" } }, { status: 404, headers: { "Cache-Control": "no-store" } });

  return new Response(new Uint8Array(file.html), {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Disposition": 'attachment; filename="countersign-verifier.html"',
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
};
