"""The words that the splitter knows, as data.

A word's flags say before what a sentence goes on behind its dot, or what else it does. Words of
one flag stand in one string, with spaces between.
"""
# ruff: noqa: RUF001 - marks of other scripts are what it is about

from __future__ import annotations

from itertools import product
from typing import Final

# Behind its dot a sentence goes on: always, or before a lower-case letter, a digit, a name.
ALWAYS: Final = 1 << 0
BEFORE_LOWER: Final = 1 << 1
BEFORE_DIGIT: Final = 1 << 2
BEFORE_NAME: Final = 1 << 3
# Before a name it goes on only if the name is a day or a time zone.
CLOCK: Final = 1 << 4
CLOCK_NAME: Final = 1 << 5
# Begins sentences, so a capital of its own makes no name of it.
STARTER: Final = 1 << 6
# A capital letter behind it is a label (plan B), no initial.
LABEL: Final = 1 << 7
# Joins the parts of a list within a sentence.
JOINT: Final = 1 << 8
PREPOSITION: Final = 1 << 9
# Ends in a mark that ends no sentence before a lower-case letter.
MARKED_NAME: Final = 1 << 10
EMOTICON: Final = 1 << 11
# Behind a quotation, the sentence goes on with it, though the script has no lower case.
SAYS: Final = 1 << 12
# What a line begins with.
BULLET: Final = 1 << 13
LOG_LEVEL: Final = 1 << 14
GREETING: Final = 1 << 15
SIGN_OFF: Final = 1 << 16
TRACE_HEAD: Final = 1 << 17
TRACE_FRAME: Final = 1 << 18
# Tags of HTML: one that ends a sentence, and one within a sentence.
BREAK_TAG: Final = 1 << 19
INLINE_TAG: Final = 1 << 20

LOWER_OR_DIGIT: Final = BEFORE_LOWER | BEFORE_DIGIT
UNLESS_STARTER: Final = LOWER_OR_DIGIT | BEFORE_NAME

# Words in small letters stand for themselves, capitalized and in capitals.
ANY_CASE: Final = {
    ALWAYS: (
        "e.g i.e eg ie cf c.f vs viz approx incl excl esp resp ca n.b p.s p.p.s a.k.a w.r.t "
        "attn q.v i.a"
    ),
    UNLESS_STARTER: "inc ltd corp bros dept univ assn assoc govt intl ph.d m.sc b.sc",
    LOWER_OR_DIGIT: "etc",
    LOWER_OR_DIGIT | CLOCK: "a.m p.m",
    BREAK_TAG: "<br <hr </p </li </div </h1 </h2 </h3 </h4 </h5 </h6 </tr </blockquote",
    INLINE_TAG: ("<a <b <i <u <s <em <strong <code <span <sub <sup <kbd <mark <small <q <del <ins"),
}
# Words as they are written.
EXACT: Final = {
    ALWAYS: (
        "Mr Mrs Ms Mx Dr Prof Gen Col Lt Maj Sgt Cpl Capt Cmdr Adm Rev Hon Gov Sen Rep Pres "
        "Messrs Mme Mlle"
    ),
    UNLESS_STARTER: (
        "al max avg std misc ver v Jr Sr St Mt Ft Co Ave Blvd Rd Hwy Bldg Apt Ste Fig Figs Eq "
        "Eqs Sec Secs Ch Vol Vols Ref Refs Nr Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec "
        "Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun"
    ),
    LOWER_OR_DIGIT: (
        "st co fig figs eq eqs vol vols ref refs ch pp para min mins sec secs hr hrs wk wks mo "
        "mos yr yrs lb lbs oz kg km cm mm ml mg ft gal ms deg tsp tbsp pts mph GB MB KB TB GHz "
        "MHz est ed eds ex ext tel col num addr param params cont Min Est Tel Ext Ex"
    ),
    BEFORE_DIGIT: "No Nos App Tab Art Par no nos p c ca nr N° n° № art rev op",
    CLOCK_NAME: (
        "EST EDT CST CDT MST MDT PST PDT ET CT MT PT UTC GMT CET CEST BST IST JST AEST Eastern "
        "Central Mountain Pacific Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
    ),
    STARTER: (
        "A About According Actually Additionally After Again All Also Although An And Another "
        "Any Anyone Are As At Avoid Based Because Before Both But By Call Can Check Click "
        "Consider Could Did Do Does Don During Each Either Else Ensure Even Every Everyone "
        "Everything Few Finally First For From Furthermore Give Go Got Had Has Have He Hence "
        "Her Here Hers His How However I If In Instead Is Isn It Its Just Keep Last Later Let "
        "Like Look Make Many Maybe Me Meanwhile Moreover Most Much My Neither Never Next No "
        "Nobody None Nor Not Note Nothing Now Of Often On Once One Only Open Or Other Others "
        "Our Over Overall Perhaps Please Put Read Remember Remove Run Second See Set She Should "
        "Similarly Since So Some Somebody Someone Something Sometimes Soon Start Still Stop "
        "Such Take Tell Thanks That The Their Theirs Them Then There Therefore These They Thing "
        "Things This Those Though Three Through Thus To Today Tomorrow Too Try Two Under Unless "
        "Until Use Very Wait Was We Well Were What When Where Whether Which While Who Whose Why "
        "Will With Without Would Yes Yesterday Yet You Your Yours"
    ),
    LABEL: (
        "plan option options part type class grade group team vitamin phase case step question "
        "choice answer tier zone point level drive column row category model version variant "
        "branch section appendix table figure exhibit schedule candidate method approach node "
        "server region bucket site key word letter language python java Plan Option Part Type "
        "Class Grade Group Team Vitamin Phase Case Step Question Choice Answer Tier Zone Point "
        "Level Drive Column Row Category Model Version Variant Branch Section Appendix Table "
        "Figure Exhibit Schedule Candidate Method Approach Node Server Region Hepatitis Python "
        "Java Chapter Article Rule Lesson Day Week Task Example Stage Item Claim Theorem Lemma "
        "Problem"
    ),
    JOINT: "and or then And Or",
    PREPOSITION: "At By Around Until Till Before After Since From About On Approximately",
    MARKED_NAME: "Yahoo Jeopardy Joomla ERR",
    EMOTICON: (
        ":) :( :D :P :p :/ :| :o :O :-) :-( :-D :-P :-/ :-| ;) ;-) ;D :'( =) =( =D <3 ^^ ^_^ :3 "
        ">:( \\o/"
    ),
    BULLET: "• ‣ ◦ ▪ ▫ ● ○ ■ □ ◆ ◇ – — ― · ∙ ➤ ► ▶ ⁃ → ➔ ➜ ❯ ★ ☆ ✦",
    LOG_LEVEL: (
        "TRACE DEBUG INFO NOTICE WARN WARNING ERROR FATAL CRITICAL SEVERE PASS FAIL PASSED "
        "FAILED FAILURE SUCCESS npm"
    ),
    GREETING: "Hi Hello Hey Dear Greetings Hallo Bonjour Hola Good",
    SIGN_OFF: (
        "Best best Kind kind Warm warm Warmest warmest Warmly regards Regards Thanks thanks "
        "Many many Thank thank you again Cheers cheers Sincerely sincerely Yours yours "
        "faithfully truly All all the wishes Wishes Take care Talk soon Respectfully "
        "respectfully Cordially cordially Love"
    ),
    TRACE_HEAD: "Traceback",
    TRACE_FRAME: "at File from",
}
# Japanese particles, and what Chinese puts behind a quotation.
SAID: Final = (
    *"とをがはにもでへやの的",
    "って",
    *"说問问道答喊叫",
    *("".join(parts) for parts in product("他她我你它", ("", "们"), "说问道答喊叫想")),
)
