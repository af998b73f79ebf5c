import { router } from "@/server/trpc/init";
import { architectAccept } from "./accept";
import { architectCancel } from "./cancel";
import { architectChange } from "./change";
import { architectDraft } from "./draft";
import { architectJob } from "./job";

export const architectRouter = router({
  accept: architectAccept,
  cancel: architectCancel,
  change: architectChange,
  draft: architectDraft,
  job: architectJob,
});
