import { listModels } from "@/server/store/health";
import { procedure } from "@/server/trpc/init";

/** What runs can be started with: the runners say so, because only they have the keys. */
export const modelList = procedure("model.read").query(() => listModels());
