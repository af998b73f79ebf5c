import { router } from "@/server/trpc/init";
import { modelList } from "./list";

export const modelsRouter = router({ list: modelList });
