import { router } from "@/server/trpc/init";
import { searchFind } from "./find";

export const searchRouter = router({ find: searchFind });
