"""Models as judges: an endpoint is asked for the grade of each open pair, and its raw answer is
kept with the grade, or with the reason why there is none.
"""
