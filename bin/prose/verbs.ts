/** First words that count as verbs. */
export const VERBS: ReadonlySet<string> = new Set(
  `ablate accept acknowledge acquire act add adopt advance align allow analyse announce answer append apply approve arm arrive ask assert
  assign attach attest authenticate await become begin blame block borrow bring build bundle cancel cap capture carry change charge check
  choose claim clamp classify clear climb close coalesce collect combine come commit compare compile complete compute confirm connect
  consume convert copy corrupt count countersign cover create cross cut deal decide declare decline decode decrypt deliver demand deny
  derive descend describe detect die diff dispatch display download drag drain draw drive drop dump duplicate edit emit encode encrypt end
  ensure enter erase escape estimate evaluate execute exit expand expect expire explain explore export extend extract fail fetch fill filter
  find finish fit fix flatten focus fold follow forge forget fork format forward free freeze gate gather gauge generate get give go grant
  group grow guard handle hash hide hint hold identify ignore import inject insert inspect install intersect invite invoke issue join judge
  jump keep launch lead learn leave link list listen load locate lock log look lookup make map mark match measure merge migrate mint mock
  move mutate narrow navigate normalize note notify observe offer omit open order outlive parse paste pause perform persist pick pin place
  plan plant play poll pop prefetch prepare present press print probe process project promote prompt propose prove prune publish push put
  query queue quote raise rank reach read rebuild recall receive recognise recompute reconcile record recover redact redeliver redo reduce
  refresh refuse register reject relabel release reload remember remove rename render renew reopen repair repeat replace replay report
  request require reroute reseal resend reserve reset resolve restart restore resume retain retract retry return reveal revert review revoke
  rewrap rewrite roll rotate route run sample sanitize save scan schedule score script search seal seed select send serialize serve set
  settle share shred show sign simulate skip sort spawn split spread start stop store stream strip submit subscribe substitute suggest
  summarise summarize supervise suspend swap switch tag take tally tamper test thaw throw tick tidy to touch trace transfer transform
  translate trim truncate try undo unlink unlock unwind unwrap update upgrade use validate verify visit wait wake walk warn watch wrap write
  is are has can may should must does was needs allows contains includes matches exists supports with without`.split(/\s+/u),
);
