import { router } from "@/server/trpc/init";
import { modelsChange } from "./change";
import { modelList } from "./list";
import { modelsSettings } from "./settings";
import { modelsTest } from "./test";

export const modelsRouter = router({ list: modelList, settings: modelsSettings, change: modelsChange, test: modelsTest });
