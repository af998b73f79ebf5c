import { connectAccountsCreate } from "./accounts-create";
import { connectAccountsRotate } from "./accounts-rotate";
import { router } from "@/server/trpc/init";
import { connectConsoleSend } from "./console-send";
import { connectForksList } from "./forks-list";
import { connectGrantsAllow } from "./grants-allow";
import { connectGraphsList } from "./graphs-list";
import { personalCreate, personalList, personalRevoke } from "./personal";
import { connectSessionsList } from "./sessions-list";
import { connectSessionsRevoke } from "./sessions-revoke";
import { connectTokensList } from "./tokens-list";
import { connectTokensMint } from "./tokens-mint";
import { connectTokensRevoke } from "./tokens-revoke";

export const connectRouter = router({
  tokens: router({ list: connectTokensList, mint: connectTokensMint, revoke: connectTokensRevoke }),
  accounts: router({ create: connectAccountsCreate, rotate: connectAccountsRotate }),
  personal: router({ create: personalCreate, list: personalList, revoke: personalRevoke }),
  sessions: router({ list: connectSessionsList, revoke: connectSessionsRevoke }),
  console: router({ send: connectConsoleSend }),
  grants: router({ allow: connectGrantsAllow }),
  forks: router({ list: connectForksList }),
  graphs: router({ list: connectGraphsList }),
});
