import { router } from "@/server/trpc/init";
import { webhooksCreate } from "./create";
import { webhooksGet } from "./get";
import { webhooksList } from "./list";
import { webhooksRedeliver } from "./redeliver";
import { webhooksRemove } from "./remove";
import { webhooksRotateSecret } from "./rotate-secret";
import { webhooksSetOutputs } from "./set-outputs";
import { webhooksSwitch } from "./switch";
import { webhooksTest } from "./test";
import { webhooksUpdate } from "./update";

export const webhooksRouter = router({
  list: webhooksList,
  get: webhooksGet,
  create: webhooksCreate,
  update: webhooksUpdate,
  switch: webhooksSwitch,
  rotateSecret: webhooksRotateSecret,
  setOutputs: webhooksSetOutputs,
  remove: webhooksRemove,
  test: webhooksTest,
  redeliver: webhooksRedeliver,
});
