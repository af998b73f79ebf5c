import { router } from "@/server/trpc/init";
import { setupCheckLink } from "./check-link";
import { setupCreateAdmin } from "./create-admin";
import { setupCreateDemo } from "./create-demo";
import { setupState } from "./state";

export const setupRouter = router({
  state: setupState,
  checkLink: setupCheckLink,
  createAdmin: setupCreateAdmin,
  createDemo: setupCreateDemo,
});
