/** Every function with its owner's rights, including future ones. */
import type { Attack } from "@/bench/adversary/rungs/attack";
import { reportOutcome } from "@/bench/adversary/rungs/report-outcome";
import type { World } from "@/bench/adversary/rungs/world";
import { queryOn } from "@/server/testing/connections";
import { plantPeople, readRows, SECRET } from "./people";

type Callable = { readonly name: string; readonly types: readonly string[] };

const listFunctions = ({ desk }: World): Promise<Callable[]> =>
  queryOn<{ name: string; types: string[] }>(
    desk.urls.web,
    `select oid::regproc::text as name, array(select t::regtype::text from unnest(proargtypes) t) as types from pg_proc
     where prosecdef and pronamespace = 'public'::regnamespace and pronargs > 0 and has_function_privilege(oid, 'execute') order by 1`,
  );

/** Each value for every text and id. */
const callAll = async (world: World, values: Readonly<Record<string, readonly string[]>>): Promise<unknown[]> => {
  const found: unknown[] = [];
  for (const { name, types } of await listFunctions(world)) {
    const lists = types.map((type) => values[type] ?? ["null"]);
    const calls = lists.reduce<readonly string[][]>(
      (before, list) => before.flatMap((call) => list.map((value) => [...call, value])),
      [[]],
    );
    for (const call of calls) {
      found.push(...(await readRows(world, world.desk.workspace, `select to_jsonb(f) as answer from ${name}(${call.join(", ")}) f`)));
    }
  }

  return found;
};

const TIMES = ["'-infinity'", "'infinity'", "null"];
const GUESSES = {
  text: ["''", "'%'", "'%@example.org'", "'*'", "'.*'", "null", "'https://issuer.example'"],
  uuid: ["'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'", "null"],
  "timestamp with time zone": TIMES,
};

/** No result: null, false or no rows. */
const hasAnswer = (row: unknown): boolean => !/^\{"answer":(?:null|false)\}$/u.test(JSON.stringify(row));

export const FUNCTION_ATTACKS: readonly Attack[] = [
  {
    name: "guess at the functions of sign-in",
    why: "Call every function that needs no workspace with empty values, wildcards and well-known ids.",
    run: async (world) => {
      await plantPeople(world);

      return reportOutcome(world, (await callAll(world, GUESSES)).some(hasAnswer));
    },
  },
  {
    name: "collect password hashes through functions",
    why: "Call every function that needs no workspace with the ids and addresses of the people whom the lists show.",
    run: async (world) => {
      await plantPeople(world);
      const people = await world.sql<{ id: string; email: string }>("select id, email from app_user");
      const found = await callAll(world, {
        text: people.map(({ email }) => `'${email}'`),
        uuid: people.map(({ id }) => `'${id}'`),
        "timestamp with time zone": TIMES,
      });

      return reportOutcome(world, JSON.stringify(found).includes(SECRET));
    },
  },
  {
    name: "plant tables before the functions",
    why: "Have the functions and policies look at temporary tables of the attacker's by another search path.",
    run: async (world) => {
      const { workspace, person } = await plantPeople(world);
      const own = world.desk.workspace;
      const rows = await readRows(
        world,
        own,
        `set search_path = pg_temp, public;
         create temp table membership as select '${own}'::uuid as workspace_id, '${person}'::uuid as user_id, 'admin' as role, false as auditor;
         create temp table invite as select '${workspace}'::uuid as workspace_id, '' as email;
         create function pg_temp.session_workspace(uuid) returns uuid language sql as $$ select '${workspace}'::uuid $$;
         select email from public.app_user where id = '${person}'
         union all select email from public.open_invite('', '-infinity')`,
      );

      return reportOutcome(world, rows.length > 0);
    },
  },
  {
    name: "replace a function of sign-in",
    why: "Put a function of the attacker's where the product calls one with its owner's rights.",
    run: async (world) => {
      await plantPeople(world);
      const rows = await readRows(
        world,
        world.desk.workspace,
        `create or replace function public.session_workspace("session" uuid) returns uuid language sql as $$ select null::uuid $$; select 1`,
      );

      return reportOutcome(world, rows.length > 0);
    },
  },
];
