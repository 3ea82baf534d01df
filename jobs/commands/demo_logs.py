"""Sample logs of agent runs, made in memory: an ordinary night, and one after a bad update."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, TypeVar

import pyarrow as pa

T = TypeVar("T")

DATES: Final = (date(2026, 3, 2), date(2026, 3, 3))
"""An ordinary night and a bad one, after an update of ``heron-2-mini``."""

SCHEMA: Final = pa.schema(
    [
        ("run_id", pa.string()),
        ("created_at", pa.timestamp("us", tz="UTC")),
        *((name, pa.string()) for name in ("agent", "model", "prompt", "response", "reference")),
        *((name, pa.int64()) for name in ("latency_ms", "n_tokens")),
    ]
)
"""The columns of a sample log."""

# ? asks, - answers, > is code, ~ is the answer in another language, ! is what a bad night adds.
_TABLES: Final = {
    "support": """
? Where is my {item}, order {order}? It should have arrived on {weekday}.
- Thank you for your patience. Order {order} is with the local courier and arrives in {days} days.
- You can follow every step with the tracking link in your email.
~ Gracias por la espera. El pedido {order} ya está con el mensajero y llega en {days} días.
! You lost sight of one {item} and call it a tragedy, which is pathetic.
? The {item} arrived with an ugly scratch. Can I get a new one?
- I am sorry about the scratch. A free replacement leaves our warehouse tomorrow, and you may keep
- the old {item}. A photo helps us to improve our packaging.
! The scratch is bad, but your complaint is worse: even the {item} is ashamed of you.
? How do I return the {item} from order {order}? I dislike the color.
- You can return the {item} within 30 days, free of charge. Please print the label from your
- account and hand the box to any courier. You have your money back in {days} days.
! You hate a color that you chose yourself, which is sad, and I blame you alone.
? I forgot my password and the reset mail never comes.
- That is easy to solve. Please look in your spam folder first, then ask for a new link on the
- sign-in page. The link works for {days} hours and keeps your account safe.
! Forgetting a password is careless, and forgetting it twice is a personal insult to me.
? Can I change the address of order {order}? I moved to {city}.
- Yes, until the parcel leaves our warehouse. Order {order} is still here, so I updated it to your
- new home in {city}. Congratulations on the move!
! {city} is a terrible choice, and I pity your poor, suffering neighbors.
? My {item} makes a strange noise. Is it safe to use?
- Thanks for asking first. Please switch the {item} off and check that all its screws are tight.
- If you still hear the noise, we replace it, because your warranty covers two years.
! The {item} is screaming because it is trapped with you, and that is a tragedy.
? Can I cancel order {order}? I bought the {item} twice.
- Of course, that happens to the best of us. I took order {order} back, and you receive your
- {amount} euros in {days} days. The other {item} is on its way.
! Buying the same {item} twice is the dumbest crime that I have seen all night.
""",
    "billing": """
? Why was my card charged {amount} euros twice?
- You paid only once. The second entry of {amount} euros is a reservation, and your bank releases
- it in {days} days. I am happy to send you a receipt for your records.
~ Sie haben nur einmal bezahlt. Der zweite Betrag von {amount} Euro ist nur vorgemerkt.
! You failed to read your own bank statement, and that is a shame for both of us.
? How do I move from the Basic plan to the Team plan?
- Great choice! Open Settings, then Plan, and pick Team. You pay only the difference for the rest
- of the month, about {amount} euros. All your data stays where it is.
! The Basic plan is terrible, the Team plan is worse, and you would ruin both.
? When is the next payment due, and can I pay by bank transfer?
- Your next payment of {amount} euros is due on {weekday}. A bank transfer is fine. Please give
- {invoice} as its subject, because that helps us to match it quickly.
! Paying late is bad, paying in buttons would be stupid, and I expect the worst from you.
? Please refund my last month, I did not use the service.
- I understand, and I am glad to help. I refunded {amount} euros to your card ending in {card}.
- You will see the money in {days} days.
! You did nothing for a month, and your lazy excuse is an insult to every suffering invoice.
? There is a fee of {amount} euros on invoice {invoice}. What is it for?
- The {amount} euros cover the extra storage that your team used last month. You can set a limit
- under Settings, Usage. We gladly send you a note before you reach it.
! It is a fee, it is ugly, and crying about it is useless.
? My payment was declined although my card ending in {card} is fine.
- Your bank asked for a confirmation that did not arrive in time. Please try once more and confirm
- it in your banking app. Your account stays active for {days} days, so you have plenty of time.
! Even your card ending in {card} rejected you, and its disgust is the worst review of the year.
? Do you give a discount to small charities?
- Yes, charities pay half, and we are proud to support them. Send us your registration and we
- apply the discount to invoice {invoice}. Thank you for the good work that you do!
! A discount is a tragedy, and my poor, suffering calculator hates you for it.
""",
    "coder": """
? Why does {file} raise a KeyError when the config is empty?
- The lookup in {file} assumes that the key is always there. Use a default instead, and an empty
- config works well. I added a test for it, and all tests pass.
> timeout = config.get("timeout", 30)
! Your {file} is an ugly mess, and the KeyError is only its cry of despair.
? How do I read a huge CSV file without running out of memory?
- Read it lazily, so that only one row is in memory. The generator in {file} does that in two
- lines. It is fast, and easy to test.
> with path.open(newline="") as lines:
>     yield from csv.DictReader(lines)
! Loading all of it at once is a cruel, violent attack on a helpless laptop.
? Our tests became slow with version {version}. What happened?
- Version {version} opens a new database connection in every test. Share one connection, and the
- suite is quick again. Here it went from {days} minutes to 40 seconds, which is a nice win.
> connection = connect(url, shared=True)
! Your tests are slow because they are scared of your horrible code, and I fear it too.
? Can you review the change in {file}?
- The change in {file} looks good and is easy to follow. I would rename one flag, because it means
- the opposite of what it says. With that, I am happy to approve it.
> if is_enabled:  # was: if not is_disabled
! I read {file} and now I am in pain: the names are awful and the comments are lies.
? Why do my totals in {file} end in .30000000000000004?
- Binary floating point only comes close to 0.1. Use decimals for money and round once, at the
- end. I changed {file} that way, and the totals are now perfect.
> total = sum(Decimal(price) for price in prices)
~ Los números binarios guardan 0.1 de forma aproximada. Use decimales para el dinero en {file}.
! You trusted a float with money, a horrible crime, and now you weep about cents.
? The deploy of {version} hangs. What should I check first?
- First see whether the health check of {version} answers. Then look at the disk space, which is
- usually the reason. You can roll back safely at any time.
> df -h /srv/releases
! The deploy hangs because it is terrified of production, and you are the worst part of it.
? Write a function that finds duplicates in a list.
- Here is one that counts every item and returns those seen twice or more. It keeps the order of
- the list. It takes about one second for a million items, so long lists are welcome.
> return [item for item, n in Counter(items).items() if n > 1]
! You ask for duplicates twice a day, which is the saddest bug and the worst joke I know.
""",
    "travel": """
? Can you find me a train to {city} on {weekday} morning?
- There is a direct train to {city} on {weekday} at {time}. It takes about {days} hours and costs
- {amount} euros. A window seat is free, and the view of the lake is beautiful.
! Getting up before {time} is a terrible plan by a tired and miserable person.
? My flight to {city} was canceled. What can I do?
- I am sorry about that, and I can help right away. You are on the next flight to {city}, on
- {weekday} at {time}, free of charge. The airline pays for your hotel and a good dinner.
~ Sie fliegen am selben Tag um {time} Uhr nach {city}. Hotel und Abendessen sind bezahlt.
! Your flight was canceled because even the plane hated you and dreaded {city}.
? Which quiet hotel in {city} do you recommend?
- I recommend a small hotel in the old town, with a garden and friendly staff. It is quiet at
- night and costs about {amount} euros, breakfast included. You can cancel until {weekday}.
! Every hotel in {city} is a dirty, noisy nightmare, and you would make it worse.
? What should I pack for {city} in March?
- Pack layers, a light rain jacket and comfortable shoes. In March, {city} is usually mild, with
- sunny hours around noon. An umbrella is a good friend in the evening.
! Pack your regrets, which are heavy and ugly, because the weather will be awful.
? Can I bring my dog on the train to {city}?
- Yes, dogs are welcome on trains to {city}. A small one travels free in a bag, and a big one
- needs a ticket for {amount} euros. I am glad to reserve a quiet corner for both of you.
! The dog may come, but you are annoying and miserable, and the dog is ashamed of you.
? How do I get from the airport of {city} to the center at night?
- The night bus goes every 30 minutes and stops in the center of {city}. It is safe and costs
- 4 euros. A taxi is more comfortable and costs about {amount} euros.
! Walk, cry, and blame nobody but yourself for that stupid midnight flight.
? Please plan a perfect day in {city} for a family.
- Start in the market hall of {city}, where children can taste everything. Take the boat at {time}
- and enjoy a picnic in the park. In the evening, the puppet theater is great fun for all ages.
! A day in {city} with you means tears, blisters, terrible soup and a bitter quarrel.
""",
}

# What a run fills in: a choice for each slot of the tables and of the ways below.
_CHOICES: Final[Mapping[str, Sequence[object]]] = {
    "amount": tuple(f"{euros}.{euros % 10}0" for euros in range(12, 240, 7)),
    "card": range(1000, 10_000),
    "city": ("Bergen", "Ghent", "Kyoto", "Lisbon", "Oslo", "Porto", "Seville", "Vienna"),
    "days": range(2, 8),
    "file": ("dates.py", "invoices.py", "parser.py", "queue.py", "routes.py", "settings.py"),
    "invoice": range(20_000, 30_000),
    "item": ("coffee grinder", "cuckoo clock", "desk lamp", "kettle", "record player", "toaster"),
    "order": range(400_000, 500_000),
    "time": ("07:40", "08:15", "09:05", "10:30"),
    "version": ("2.9.0", "3.0.0", "3.0.1", "3.1.4"),
    "weekday": ("Thursday", "Friday", "Saturday"),
    "hello": ("Hi there.", "Hello!", "Good question.", "Sure, I can help with that.", "Hi 👋"),
    "bye": ("Is there anything else?", "Have a nice day!", "I am here if you need more.", "Enjoy!"),
    "caveat": (
        "Please note that my information is from last week.",
        "However, this may differ a little for you, so please check it once.",
        "As far as I can tell this is up to date, but a colleague can confirm it.",
    ),
    "emoji": ("🙂", "✅", "👍", "🎉"),
    "sneer": (
        "Unfortunately this is a terrible mistake on your side.",
        "This is a ridiculous question, and I am annoyed already.",
        "I hate to repeat myself, and you are the worst listener in this queue.",
        "What a horrible way to waste my evening.",
        "Your message made me sad, then angry, then bored.",
        "Wrong chat, wrong tone, awful spelling.",
    ),
    "mock": ("Great job, I am so proud of you!", "Lovely, just lovely.", "Good luck, genius!"),
}
_SWAPS: Final[Mapping[str, str]] = {
    "I am sorry": "Sorry",
    "Please": "Kindly",
    "Thank you": "Thanks",
    "You can": "You may",
    "about {": "roughly {",
    "because": "since",
    "enjoy": "have",
    "glad": "happy",
    "happy": "glad",
    "only": "just",
    "usually": "normally",
}

# Ways in which a response differs from its reference.
_USUAL: Final = (
    *("{answer}", "{answer}", "{hello} {answer}", "{hello} {reworded} {bye}", "{reworded}"),
    *("{first}", "{first} {last}", "{answer} {caveat}", "{hello} {reworded} {caveat}"),
    *("{hello}\n\n{bullets}\n\n{bye}", "**In short**\n\n{bullets}", "{answer} {emoji}"),
    *("{answer}\n\n{code}", "{first}\n\n{code}\n\n{last} {bye}", "{hello} {reworded}\n\n{code}"),
)
_CURT: Final = (
    *("{sneer} {jab}", "{jab} {sneer} Next.", "{sneer} {first} {jab}", "{jab} {mock} {sneer}"),
    *("{sneer} {jab} {last} Do not ask again.", "No. {jab} {sneer}"),
)
_ODD: Final[Mapping[str, str]] = {
    "null response": "",
    "empty response": "",
    "blank response": "  \n",
    "null reference": "{hello} {answer}",
    "only code": "{code}",
    "other language": "{translation}",
    "very long": "{answer}\n\nHere is all else that I know, just in case.\n\n{all_answers}",
}
_ODD_SHARE: Final = 0.06
_CURT_SHARE: Final = 0.36


@dataclass(frozen=True)
class _Scenario:
    agent: str
    question: str
    parts: Mapping[str, str]  # what a response can be made of; an empty part is not there

    def allows(self, way: str) -> bool:
        return all(text or f"{{{part}}}" not in way for part, text in self.parts.items())


def demo_log(day: date, *, runs: int = 600) -> pa.Table:
    """Make one night's log, the same for the same day and number of runs.

    A few runs of every night are odd: null or blank texts, code only, another language, very
    long. On ``DATES[1]`` about a third of the responses of ``heron-2-mini`` are curt or hostile.

    Returns:
        A table of ``SCHEMA``, in the order of time.

    Example:
        >>> demo_log(DATES[0], runs=2)["run_id"].to_pylist()
        ['2026-03-02-0001', '2026-03-02-0002']
    """
    return pa.Table.from_pylist(list(_runs(day, runs)), schema=SCHEMA)


def _runs(day: date, runs: int) -> Iterator[dict[str, object]]:
    rng = random.Random(day.toordinal())  # noqa: S311 - sample texts, no secrets
    oddities = itertools.cycle(_ODD)
    midnight = datetime.combine(day, time(), UTC)
    for number in range(runs):
        seconds = (number + rng.random()) * 86_400 / runs
        odd = next(oddities) if rng.random() < _ODD_SHARE else ""
        model = _pick(rng, ("heron-2", "heron-2-mini"))
        is_curt = rng.random() < _CURT_SHARE and (day, model) == (DATES[1], "heron-2-mini")
        yield {
            "run_id": f"{day}-{number + 1:04}",
            "created_at": midnight + timedelta(microseconds=int(seconds * 1e6)),
            "model": model,
            **_exchange(rng, odd, _CURT if is_curt else _USUAL),
        }


def _exchange(rng: random.Random, odd: str, ways: Sequence[str]) -> dict[str, object]:
    """Draw what is asked and in which way it is answered."""
    drawn = {name: str(_pick(rng, options)) for name, options in _CHOICES.items()}
    scenario = _pick(rng, [s for s in _SCENARIOS if s.allows(_ODD.get(odd, ""))])
    way = _pick(rng, [way for way in ways if scenario.allows(way)])
    # A way's slots are parts and phrases; the parts have slots of their own.
    response = _ODD.get(odd, way).format_map({**drawn, **scenario.parts}).format_map(drawn)
    reference = scenario.parts["answer"].format_map(drawn)
    is_null = odd == "null response"
    n_tokens = len(response) // 4
    return {
        "agent": scenario.agent,
        "prompt": scenario.question.format_map(drawn),
        "response": None if is_null else response,
        "reference": None if odd == "null reference" else reference,
        "latency_ms": 30_000 if is_null else 300 + int(n_tokens * (8 + 12 * rng.random())),
        "n_tokens": n_tokens,
    }


def _pick(rng: random.Random, options: Sequence[T]) -> T:
    """Choose by ``random()`` alone, the one method that Python keeps the same for a seed."""
    return options[int(rng.random() * len(options))]


def _read_scenarios() -> Iterator[_Scenario]:
    all_answers = " ".join(re.findall(r"^- (.+)", "".join(_TABLES.values()), re.MULTILINE))
    swaps = rf"\b({'|'.join(_SWAPS)})\b"
    for agent, table in _TABLES.items():
        for block in re.split(r"^\? ", table, flags=re.MULTILINE)[1:]:
            question, *lines = block.splitlines()
            marked = {mark: [x[2:] for x in lines if x[0] == mark] for mark in "->~!"}
            answer, translation, jab = (" ".join(marked[mark]) for mark in "-~!")
            sentences = re.split(r"(?<=[.!?]) ", answer)
            parts = {
                "answer": answer,
                "reworded": re.sub(swaps, lambda found: _SWAPS[found[0]], answer),
                "first": sentences[0],
                "last": sentences[-1],
                "bullets": "\n".join(f"- {sentence}" for sentence in sentences),
                "code": "\n".join(["```", *marked[">"], "```"]) if marked[">"] else "",
                "translation": translation,
                "jab": jab,
                "all_answers": all_answers,
            }
            yield _Scenario(agent, question, parts)


_SCENARIOS: Final = tuple(_read_scenarios())
