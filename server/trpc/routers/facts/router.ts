import { router } from "@/server/trpc/init";
import { factsList } from "./list";
import { factsRetract } from "./retract";

export const factsRouter = router({ list: factsList, retract: factsRetract });
