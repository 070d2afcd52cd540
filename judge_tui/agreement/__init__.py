"""Do the judges agree, and what is the final grade of a pair they judged? `study` measures
agreement, `decide` and `policies` make one grade of several. Pure: grades in, numbers out.
"""
