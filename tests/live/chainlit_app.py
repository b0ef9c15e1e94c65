"""A Chainlit chat. LIVE_PAUSE is the time to the first token, in seconds."""

import asyncio
import os

import chainlit


@chainlit.on_message
async def answer(message):
    await asyncio.sleep(float(os.environ.get("LIVE_PAUSE", "0")))
    reply = chainlit.Message(content="")
    for word in "There are 12 commits in the repository.".split():
        await reply.stream_token(f"{word} ")
        await asyncio.sleep(0.05)
    await reply.update()
