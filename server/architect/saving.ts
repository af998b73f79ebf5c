import { AppError } from "@/lib/errors";
import type { Graph } from "@/lib/graph/document";
import { computeContentHash } from "@/lib/graph/file";
import { SAVE_REFUSALS, type SaveRefusal } from "@/lib/graph/save-refusal";
import { saveRevision } from "@/server/store/graphs/graphs";

type Push = { readonly revision: number; readonly document: Graph; readonly authorId: string };

/** Saves over exactly this revision; idempotent. @throws AppError not_found, conflict */
export const saveDraft = async (workspaceId: string, graphId: string, push: Push): Promise<number> => {
  const guard = (newest: Graph): SaveRefusal | null => {
    if (newest.id !== push.document.id) return "other_graph";

    return push.document.nodes.length === 0 && newest.nodes.length > 0 ? "empty_replaces" : null;
  };
  const saved = await saveRevision(workspaceId, graphId, { ...push, guard });
  if (!saved) throw new AppError("not_found");
  if (saved.ok) return saved.value;
  if ("refusal" in saved.error) throw new AppError("conflict", { message: SAVE_REFUSALS[saved.error.refusal] });
  const { next } = saved.error;
  if (next && computeContentHash(next) === computeContentHash(push.document)) return push.revision + 1;
  throw new AppError("conflict", { message: "The draft has changed since it was read." });
};
