"""Serving: a model behind HTTP, for programs that send a row and want an answer.

A request goes one way: `application` reads its bytes and finds the route, `ordinary` answers most rows from them,
`rows` turns all other JSON into rows of the model's columns or refuses them in a sentence, `answering` asks the model,
`metrics` counts what went by. The model is never changed.
"""
