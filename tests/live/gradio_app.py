"""A Gradio ChatInterface. LIVE_PAUSE is the time to the first token, in seconds; LIVE_PORT the port."""

import os
import time

import gradio


def answer(message, history):
    time.sleep(float(os.environ.get("LIVE_PAUSE", "0")))
    text = ""
    for word in "There are 12 commits in the repository.".split():
        text += f"{word} "
        yield text
        time.sleep(0.05)


gradio.ChatInterface(answer).launch(server_name="127.0.0.1", server_port=int(os.environ["LIVE_PORT"]))
