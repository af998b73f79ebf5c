import { router } from "@/server/trpc/init";
import { trustForget } from "./forget";
import { trustKeep } from "./keep";
import { trustList } from "./list";
import { trustQueries } from "./queries";

export const trustRouter = router({
  forget: trustForget,
  keep: trustKeep,
  list: trustList,
  queries: trustQueries,
});
