import { router } from "@/server/trpc/init";
import { secretsList } from "./list";
import { secretsPut } from "./put";
import { secretsRemove } from "./remove";

export const secretsRouter = router({ list: secretsList, put: secretsPut, remove: secretsRemove });
