import { AppError } from "@/lib/errors";
import type { PublishedGraph } from "@/lib/graph/document";
import type { AuthorityReader } from "@/server/store/trust/authority";

export const confirmEnvironments = async (authority: AuthorityReader, workspaceId: string, { graph }: PublishedGraph): Promise<void> => {
  const named = (graph.triggers ?? []).flatMap(({ environment }) => environment ?? []);
  if (named.length === 0) return;
  const ids = new Set((await authority.read(workspaceId)).environments.list.map(({ id }) => id));
  if (!named.every((id) => ids.has(id))) throw new AppError("refused", { refusal: "environment_unknown" });
};
