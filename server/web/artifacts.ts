import { z } from "zod";
import { getArtifactDigest, listArtifacts, type Artifact } from "@/lib/artifact";
import { AppError } from "@/lib/errors";
import { getShownTo } from "@/lib/engine/approvals/policy";
import { labelSchema } from "@/lib/graph/label";
import { hexDigestSchema } from "@/lib/hash";
import { openArtifact } from "@/server/artifacts/open";
import { receiveUpload } from "@/server/artifacts/upload";
import type { SignedIn } from "@/server/auth/signed-in";
import { getRun } from "@/server/store/runs/runs";
import { answerMember, type Asked } from "./download";
import { openVerifiedRun } from "./open-run";
import { refuseAttempt } from "./refuse-attempt";
import { submitCommand, type Submission } from "./submit-command";
import { getWebVault } from "./web-vault";

const demandOwnPage = ({ headers }: Request): void => {
  const site = headers.get("sec-fetch-site");
  // Addresses without TLS get no such header.
  const isOwn = site === null ? URL.parse(headers.get("origin") ?? "")?.host === headers.get("host") : site === "same-origin";
  if (!isOwn) throw new AppError("forbidden", { message: "Only this site's pages can do this." });
};

export const respondUpload = (asked: Asked, request: Request): Promise<Response> =>
  answerMember(asked, "run.start", async ({ workspace, user }) => {
    demandOwnPage(request);

    return Response.json(await receiveUpload({ workspaceId: workspace.id, givenBy: user.id }, request), { status: 201 });
  });

const placeSchema = z.strictObject({ seq: z.number().int().min(0), index: z.number().int().min(0), file: hexDigestSchema });
type Place = z.infer<typeof placeSchema>;

const findShown = async ({ workspace, role }: SignedIn, runId: string, { seq, index, file }: Place): Promise<Artifact | null> => {
  const { ledger } = await openVerifiedRun(workspace.id, runId, getShownTo(role));
  const cell = ledger.cells.find((candidate) => candidate.seq === seq && candidate.index === index);
  const label = labelSchema.safeParse(cell?.label).data;
  if (!label || !cell?.opened || typeof cell.opened === "string") return null;

  return listArtifacts(cell.opened.value, label).find((artifact) => getArtifactDigest(artifact) === file) ?? null;
};

const HEADERS = {
  "Cache-Control": "private, no-store",
  "Content-Security-Policy": "sandbox; default-src 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
};

/** Others may carry scripts. */
const SHOWN = ["image/png", "image/jpeg", "image/webp", "image/gif"];

const toHeaders = ({ name, mediaType, size }: Artifact): Record<string, string> => ({
  ...HEADERS,
  "Content-Type": SHOWN.includes(mediaType) ? mediaType : "application/octet-stream",
  "Content-Length": String(size),
  // RFC 8187.
  "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/gu, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`,
});

const toStream = (parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull: async (controller) => {
      const next = await parts.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: async () => {
      await parts.return(undefined);
    },
  });

const toCommand = ({ workspace, user, session }: SignedIn, runId: string, { seq, index, file }: Place): Submission => ({
  workspaceId: workspace.id,
  author: { type: "user", id: user.id, session },
  runId,
  body: { kind: "open_cell", seq, index, purpose: "file", file },
});

export const respondArtifact = (asked: Asked, request: Request, runId: string): Promise<Response> =>
  answerMember(asked, "cell.open", async (member) => {
    demandOwnPage(request);
    const place = placeSchema.safeParse(await request.json().catch(() => null));
    if (!place.success || !z.uuid().safeParse(runId).success) throw new AppError("bad_request");
    const command = toCommand(member, runId, place.data);
    const found = (await getRun(member.workspace.id, runId)) ? await findShown(member, runId, place.data) : null;
    if (!found) return refuseAttempt(command);
    await submitCommand(command);

    return new Response(toStream(openArtifact(getWebVault(), member.workspace.id, found)), { headers: toHeaders(found) });
  });
