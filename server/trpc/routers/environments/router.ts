import { router } from "@/server/trpc/init";
import { environmentsList } from "./list";
import { promotionApprove, promotionAsk, promotionDecline, promotionPreview, promotionPromote, promotionsWaiting } from "./promotion";
import { environmentsSet, environmentsSetVariables } from "./set";

export const environmentsRouter = router({
  list: environmentsList,
  set: environmentsSet,
  setVariables: environmentsSetVariables,
  promotions: router({
    preview: promotionPreview,
    waiting: promotionsWaiting,
    promote: promotionPromote,
    ask: promotionAsk,
    approve: promotionApprove,
    decline: promotionDecline,
  }),
});
